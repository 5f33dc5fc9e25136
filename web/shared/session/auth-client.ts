import { createClient, type SupabaseClient, type User } from '@supabase/supabase-js';
import type { SiteConfig } from '#contract/pages/page-templates.ts';
import { loadPendingSignIn, pendingSignIn } from './pending-sign-in.ts';

/**
 * This module becomes a separate chunk, because visitors do not need the client. Tokens in the
 * address are always ignored, because anyone can put one there. `detectCode` makes it read the PKCE
 * code in the address from a hosted service's link, which only the requesting browser can exchange.
 * `setUser` is called whenever somebody signs in or out.
 */
export function createAuthClient(
  { url, key, mode, sso }: SiteConfig['auth'],
  detectCode: boolean,
  setUser: (user: User | null) => void,
): SupabaseClient {
  const client = createClient(url, key, {
    auth:
      mode === 'hosted'
        ? { flowType: 'pkce', detectSessionInUrl: detectCode }
        : // The provider's sign-in needs a verifier in this browser; mailed links use none.
          { flowType: sso === null ? 'implicit' : 'pkce', detectSessionInUrl: false },
  });
  client.auth.onAuthStateChange((_event, session) => {
    const user = session?.user ?? null;
    loadPendingSignIn(user);
    // Until the code is entered, nobody is signed in. A member who proves their identity again
    // stays signed in.
    if (pendingSignIn() === null) setUser(user);
  });
  return client;
}

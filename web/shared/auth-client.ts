import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { SiteConfig } from '#contract/page-templates.ts';

/**
 * This module becomes a separate chunk, because visitors do not need the client. Tokens in the
 * address are always ignored, because anyone can put one there. `detectCode` makes it read the PKCE
 * code in the address from a hosted service's link, which only the requesting browser can exchange.
 */
export const createAuthClient = (
  { url, key, mode, sso }: SiteConfig['auth'],
  detectCode: boolean,
): SupabaseClient =>
  createClient(url, key, {
    auth:
      mode === 'hosted'
        ? { flowType: 'pkce', detectSessionInUrl: detectCode }
        : // The provider's sign-in needs a verifier in this browser; mailed links use none.
          { flowType: sso === null ? 'implicit' : 'pkce', detectSessionInUrl: false },
  });

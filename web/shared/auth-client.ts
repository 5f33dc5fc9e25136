import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { SiteConfig } from '#contract/config.ts';

/**
 * A separate module, so that it becomes a separate chunk: visitors do not need the client. Tokens
 * in the address are always ignored, because anyone can put one there. `detectCode`: read the PKCE
 * code that a hosted service's link added to the address. Only the browser that requested the link
 * can exchange that code.
 */
export const createAuthClient = (
  { url, key, mode }: SiteConfig['auth'],
  detectCode: boolean,
): SupabaseClient =>
  createClient(url, key, {
    auth:
      mode === 'hosted'
        ? { flowType: 'pkce', detectSessionInUrl: detectCode }
        : { detectSessionInUrl: false },
  });

import { createClient } from '@supabase/supabase-js';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { SiteConfig } from '#contract/config.ts';

/**
 * In a separate chunk, because visitors do not need the client. No token is ever taken from the address, where
 * anybody could put one. `readsCode`: a hosted service's link brought a code, which only the browser that asked for it can use.
 */
export const createAuthClient = ({ url, key, mode }: SiteConfig['auth'], readsCode: boolean): SupabaseClient =>
  createClient(url, key, {
    auth: mode === 'hosted' ? { flowType: 'pkce', detectSessionInUrl: readsCode } : { detectSessionInUrl: false },
  });

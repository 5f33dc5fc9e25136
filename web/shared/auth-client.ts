import { createClient } from '@supabase/supabase-js';
import type { SupabaseClient } from '@supabase/supabase-js';

/** A chunk of its own: only who signs in, or is signed in, loads the client. */
export const makeAuthClient = (auth: { url: string; key: string }): SupabaseClient =>
  createClient(auth.url, auth.key, { auth: { flowType: 'implicit', detectSessionInUrl: true } });

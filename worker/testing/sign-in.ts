import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { openDb } from '#worker/db/client.ts';
import worker from '#worker/index.ts';
import { call, ORIGIN } from './call.ts';
import type { Person } from './make.ts';

export const EMBEDDED = {
  SUPABASE_URL: '',
  SUPABASE_PUBLISHABLE_KEY: '',
  SUPABASE_JWT_SECRET: '',
  DEV_MAILBOX: 'on',
  AUTH_EMAIL_INTERVAL_SECONDS: '0',
} satisfies Partial<Env>;

/** Outdated Scrypt parameters. An account with them can sign in, which stores a new hash. */
export const CHEAP = { ln: 9, r: 8, p: 1 };

/** Returns a `fetch` that calls the Worker directly, for the unmodified Supabase client. */
export function workerFetch(overrides: Partial<Env> = {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const ctx = createExecutionContext();
    const response = await worker.fetch(request, { ...env, ...EMBEDDED, ...overrides }, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
}

/** The Supabase client with separate storage, like a browser tab. The server ignores `flow`. */
export function tab(
  overrides: Partial<Env> = {},
  flow: 'implicit' | 'pkce' = 'implicit',
  fetcher?: typeof fetch,
  kept = new Map<string, string>(),
): SupabaseClient {
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return createClient(`${ORIGIN}/api`, 'sb_publishable_test', {
    auth: {
      flowType: flow,
      autoRefreshToken: false,
      persistSession: true,
      detectSessionInUrl: false,
      storage,
    },
    global: { fetch: fetcher ?? workerFetch(overrides) },
  });
}

/**
 * Creates a confirmed account and signs it in through the API. Send its requests with `EMBEDDED` as
 * overrides.
 */
export async function signInEmbedded(
  options: { email?: string; password?: string; now?: number } = {},
): Promise<Person & { refreshToken: string; password: string }> {
  const email = options.email ?? `${crypto.randomUUID().slice(0, 8)}@example.com`;
  const password = options.password ?? 'correct horse';
  const account = { email, password, confirmed: true, now: options.now ?? Date.now() };
  const id = await createAccount(openDb(env.DB), account);
  const response = await call(
    '/api/auth/v1/token?grant_type=password',
    { json: { email, password } },
    EMBEDDED,
  );
  const session: { access_token: string; refresh_token: string } = await response.json();
  if (id === null || response.status !== 200)
    throw new Error(`Signing in ${email} failed: ${response.status}`);
  return {
    id,
    email,
    password,
    headers: { Authorization: `Bearer ${session.access_token}` },
    refreshToken: session.refresh_token,
  };
}

export type KeptMail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  link: string;
  sentAt: string;
};

export async function mailsTo(email: string): Promise<KeptMail[]> {
  return (await call(`/dev/mailbox.json?to=${encodeURIComponent(email)}`, {}, EMBEDDED)).json();
}

/** Returns the members that a mailed link passes to its page in the fragment. */
export function linkIn(mail: KeptMail | undefined): {
  type: string;
  token_hash: string;
  next: string | null;
  path: string;
} {
  const url = new URL(mail?.link ?? 'about:blank');
  const members = new URLSearchParams(url.hash.slice(1));
  return {
    type: members.get('type') ?? '',
    token_hash: members.get('token_hash') ?? '',
    next: members.get('next'),
    path: url.pathname,
  };
}

export function pressLink(
  mail: KeptMail | undefined,
  members: Record<string, unknown> = {},
): Promise<Response> {
  const { type, token_hash } = linkIn(mail);
  return call(
    '/api/auth/v1/verify',
    { json: { type, token_hash, ...members }, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
    EMBEDDED,
  );
}

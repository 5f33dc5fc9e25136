import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { createAccount } from '#worker/auth/account.ts';
import { openDb } from '#worker/db/client.ts';
import worker from '#worker/index.ts';
import { call, ORIGIN } from './call.ts';
import type { Person } from './make.ts';

/** The variables of a deployment that signs people in itself, as the tests of that need them. */
export const EMBEDDED = {
  SUPABASE_URL: '',
  SUPABASE_PUBLISHABLE_KEY: '',
  SUPABASE_JWT_SECRET: '',
  DEV_MAILBOX: 'on',
  AUTH_EMAIL_INTERVAL_SECONDS: '0',
} satisfies Partial<Env>;

/** Other parameters than today's: an account that is hashed with them signs in, and is hashed again. */
export const CHEAP = { ln: 9, r: 8, p: 1 };

/** A fetch that goes into the Worker of this test, never over a network: for the real, unmodified client. */
export function workerFetch(overrides: Partial<Env> = {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const ctx = createExecutionContext();
    const response = await worker.fetch(request, { ...env, ...EMBEDDED, ...overrides }, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
}

/** The real client, as a browser tab of its own; `flow` as in its options (the server ignores it). */
export function tab(
  overrides: Partial<Env> = {},
  flow: 'implicit' | 'pkce' = 'implicit',
  fetcher?: typeof fetch,
): SupabaseClient {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return createClient(`${ORIGIN}/api`, 'sb_publishable_test', {
    auth: { flowType: flow, autoRefreshToken: false, persistSession: true, detectSessionInUrl: false, storage },
    global: { fetch: fetcher ?? workerFetch(overrides) },
  });
}

/** A confirmed embedded account, signed in through the real route; send requests with `EMBEDDED` as overrides. */
export async function signInEmbedded(
  options: { email?: string; password?: string; now?: number } = {},
): Promise<Person & { refreshToken: string; password: string }> {
  const email = options.email ?? `${crypto.randomUUID().slice(0, 8)}@example.com`;
  const password = options.password ?? 'correct horse';
  const id = await createAccount(openDb(env.DB), { email, password, confirmed: true, now: options.now ?? Date.now() }, CHEAP);
  const response = await call('/api/auth/v1/token?grant_type=password', { json: { email, password } }, EMBEDDED);
  const session: { access_token: string; refresh_token: string } = await response.json();
  if (id === null || response.status !== 200) throw new Error(`Signing in ${email} failed: ${response.status}`);
  return {
    id,
    email,
    password,
    headers: { Authorization: `Bearer ${session.access_token}` },
    refreshToken: session.refresh_token,
  };
}

export type KeptMail = { to: string; subject: string; text: string; html: string; link: string; sentAt: string };

/** The local mailbox of an address, newest first. */
export async function mailsTo(email: string): Promise<KeptMail[]> {
  return (await call(`/dev/mailbox.json?to=${encodeURIComponent(email)}`, {}, EMBEDDED)).json();
}

/** What the address of a mailed link tells the page that opens it. */
export function linkIn(mail: KeptMail | undefined): { type: string; token_hash: string; next: string | null; path: string } {
  const url = new URL(mail?.link ?? 'about:blank');
  const members = new URLSearchParams(url.hash.slice(1));
  return {
    type: members.get('type') ?? '',
    token_hash: members.get('token_hash') ?? '',
    next: members.get('next'),
    path: url.pathname,
  };
}

/** The press of the button on a mailed link's page: the answer of POST /verify. */
export function pressLink(mail: KeptMail | undefined, members: Record<string, unknown> = {}): Promise<Response> {
  const { type, token_hash } = linkIn(mail);
  return call(
    '/api/auth/v1/verify',
    { json: { type, token_hash, ...members }, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
    EMBEDDED,
  );
}

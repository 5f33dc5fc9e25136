import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { newAddress } from './support/address.ts';
import { expect, test } from './support/test.ts';

/**
 * The embedded sign-in as its real, unmodified client meets it: over HTTP, in `wrangler dev`. The finer points of the
 * contract are tested beside the code, in worker/auth; here stands what only the whole can show.
 */

const address = (): string => `e2e-${randomUUID().slice(0, 8)}@example.com`;
let origin = '';
test.beforeAll(({ baseURL }) => {
  origin = baseURL ?? '';
});

/** A tab of a browser somewhere: its own storage, its own network. */
function tab(flowType: 'implicit' | 'pkce' = 'implicit', from = newAddress()): SupabaseClient {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return createClient(`${origin}/api`, 'sb_publishable_e2e', {
    auth: { flowType, autoRefreshToken: false, detectSessionInUrl: false, persistSession: true, storage },
    global: { headers: { 'CF-Connecting-IP': from } },
  });
}

const auth = (path: string, json: unknown, from = newAddress()) =>
  fetch(`${origin}/api/auth/v1${path}`, {
    method: 'POST',
    body: JSON.stringify(json),
    headers: { 'Content-Type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01', 'CF-Connecting-IP': from },
  });

async function newestLink(email: string): Promise<string> {
  const answer = await fetch(`${origin}/dev/mailbox.json?to=${encodeURIComponent(email)}`);
  const mails: { link: string }[] = await answer.json();
  return mails[0]?.link ?? '';
}

/** Where the browser lands after a click on the mail's link. */
async function click(link: string): Promise<URL> {
  const answer = await fetch(link, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('Location') ?? '');
}

async function confirmed(): Promise<{ email: string; password: string }> {
  const person = { email: address(), password: 'correct horse' };
  expect((await tab().auth.signUp(person)).error).toBeNull();
  await click(await newestLink(person.email));
  return person;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('sign-up, mail, link, session, refresh, claims, sign-out', async () => {
  const client = tab();
  const person = { email: address(), password: 'correct horse' };
  const up = await client.auth.signUp({ ...person, options: { emailRedirectTo: `${origin}/dashboard` } });
  expect(up.error).toBeNull();
  expect(up.data.session).toBeNull();
  expect((await client.auth.signInWithPassword(person)).error?.code).toBe('email_not_confirmed');
  const to = await click(await newestLink(person.email));
  expect(to.pathname).toBe('/dashboard');
  const values = new URLSearchParams(to.hash.slice(1));
  const set = await client.auth.setSession({
    access_token: values.get('access_token') ?? '',
    refresh_token: values.get('refresh_token') ?? '',
  });
  expect(set.error).toBeNull();
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await client.auth.getClaims()).data?.claims.email).toBe(person.email);
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  const me = () => fetch(`${origin}/api/me`, { headers: { Authorization: `Bearer ${token}`, 'x-user-id': randomUUID() } });
  expect(await (await me()).json()).toMatchObject({ email: person.email, role: 'user' });
  expect((await client.auth.signOut()).error).toBeNull();
  expect((await me()).status).toBe(401);
});

test('a registered address cannot be told from a new one, but by its empty identities', async () => {
  const { email } = await confirmed();
  const again = await tab().auth.signUp({ email, password: 'another horse' });
  expect(again.data.user).toMatchObject({ identities: [], role: '', email });
  expect((await tab().auth.signInWithPassword({ email, password: 'another horse' })).error?.code).toBe('invalid_credentials');
});

test('five tabs that refresh at once stay signed in', async () => {
  const person = await confirmed();
  const { data } = await tab().auth.signInWithPassword(person);
  const token = data.session?.refresh_token;
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const answer = await auth('/token?grant_type=refresh_token', { refresh_token: token });
      const body: { refresh_token: string } = await answer.json();
      return body.refresh_token;
    }),
  );
  expect(new Set(answers).size).toBe(1);
});

test('PKCE: the link holds a code that only the asking client can use', async () => {
  const client = tab('pkce');
  const email = address();
  await client.auth.signUp({ email, password: 'correct horse' });
  const to = await click(await newestLink(email));
  expect(to.hash).toBe('');
  const { data, error } = await client.auth.exchangeCodeForSession(to.searchParams.get('code') ?? '');
  expect(error).toBeNull();
  expect(data.user?.email).toBe(email);
});

test('unknown address and wrong password: the same bytes in the same time', async () => {
  test.setTimeout(120_000);
  const { email } = await confirmed();
  const times: [number[], number[]] = [[], []];
  const bodies = new Set<string>();
  for (let i = 0; i < 15; i += 1)
    for (const [which, who] of [email, address()].entries()) {
      const start = performance.now();
      const answer = await auth('/token?grant_type=password', { email: who, password: 'wrong horse' });
      bodies.add(`${answer.status} ${await answer.text()}`);
      times[which === 0 ? 0 : 1].push(performance.now() - start);
    }
  expect([...bodies]).toEqual(['400 {"code":"invalid_credentials","message":"Invalid login credentials"}']);
  const ratio = median(times[1]) / median(times[0]);
  expect(ratio).toBeGreaterThan(0.7);
  expect(ratio).toBeLessThan(1.4);
});

test('twenty wrong passwords lock the pair for a while, with words', async () => {
  test.setTimeout(120_000);
  const person = await confirmed();
  const from = newAddress();
  await Promise.all(Array.from({ length: 20 }, () => auth('/token?grant_type=password', { ...person, password: 'wrong' }, from)));
  const locked = await tab('implicit', from).auth.signInWithPassword(person);
  expect(locked.error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  expect(locked.error?.message).toContain('Too many failed sign-in attempts');
  expect((await tab().auth.signInWithPassword(person)).error).toBeNull();
});

test('a page of another origin may use it', async () => {
  const preflight = await fetch(`${origin}/api/auth/v1/token?grant_type=password`, {
    method: 'OPTIONS',
    headers: {
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

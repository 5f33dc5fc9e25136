import { randomBytes, randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { newClientAddress } from './support/client-address.ts';
import { expect, test } from './support/test.ts';

/**
 * Tests the embedded sign-in with the unmodified Supabase client over HTTP.
 * Tests in worker/auth cover the details.
 */

const address = (): string => `e2e-${randomUUID().slice(0, 8)}@example.com`;
let origin = '';
test.beforeAll(({ baseURL }) => {
  origin = baseURL ?? '';
});

/** A client with separate storage and a separate network address. */
function tab(from = newClientAddress()): SupabaseClient {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return createClient(`${origin}/api`, 'sb_publishable_e2e', {
    auth: { autoRefreshToken: false, detectSessionInUrl: false, persistSession: true, storage },
    global: { headers: { 'CF-Connecting-IP': from } },
  });
}

const auth = (path: string, json: unknown, from = newClientAddress()) =>
  fetch(`${origin}/api/auth/v1${path}`, {
    method: 'POST',
    body: JSON.stringify(json),
    headers: {
      'Content-Type': 'application/json',
      'X-Supabase-Api-Version': '2024-01-01',
      'CF-Connecting-IP': from,
    },
  });

/** Returns the newest mailed link and the members of its fragment. */
async function newestLink(
  email: string,
): Promise<{ href: string; type: string; token_hash: string }> {
  const answer = await fetch(`${origin}/dev/mailbox.json?to=${encodeURIComponent(email)}`);
  const mails: { link: string }[] = await answer.json();
  const url = new URL(mails[0]?.link ?? 'about:blank');
  const members = new URLSearchParams(url.hash.slice(1));
  return {
    href: url.href,
    type: members.get('type') ?? '',
    token_hash: members.get('token_hash') ?? '',
  };
}

async function confirmed(): Promise<{ email: string; password: string }> {
  const person = { email: address(), password: 'correct horse' };
  const secret = randomBytes(32).toString('base64url');
  expect(
    (await tab().auth.signUp({ ...person, options: { data: { sign_up_secret: secret } } })).error,
  ).toBeNull();
  const { type, token_hash } = await newestLink(person.email);
  expect((await auth('/verify', { type, token_hash, sign_up_secret: secret })).status).toBe(200);
  return person;
}

test('the Supabase client signs up, confirms, refreshes and signs out', async () => {
  const client = tab();
  const person = { email: address(), password: 'correct horse' };
  const up = await client.auth.signUp({
    ...person,
    options: { emailRedirectTo: `${origin}/settings` },
  });
  expect(up.error).toBeNull();
  expect(up.data.session).toBeNull();
  expect((await client.auth.signInWithPassword(person)).error?.code).toBe('email_not_confirmed');
  const link = await newestLink(person.email);
  expect(link.href).toMatch(/\/auth\/confirm#type=signup&token_hash=[\w-]{43}&next=%2Fsettings$/);
  const confirm = await client.auth.verifyOtp({ type: 'signup', token_hash: link.token_hash });
  expect(confirm.error).toBeNull();
  expect(confirm.data.user?.app_metadata).toMatchObject({ has_password: false });
  expect((await client.auth.updateUser({ password: person.password })).error).toBeNull();
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await client.auth.getClaims()).data?.claims.email).toBe(person.email);
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  const me = () =>
    fetch(`${origin}/api/me`, {
      headers: { Authorization: `Bearer ${token}`, 'x-user-id': randomUUID() },
    });
  expect(await (await me()).json()).toMatchObject({ email: person.email, role: 'user' });
  expect((await client.auth.signOut()).error).toBeNull();
  expect((await me()).status).toBe(401);
  expect((await client.auth.signInWithPassword(person)).error).toBeNull();
});

test('the link format of other clients redirects to the page and uses nothing up', async () => {
  const person = await confirmed();
  expect((await tab().auth.resetPasswordForEmail(person.email)).error).toBeNull();
  const { token_hash } = await newestLink(person.email);
  for (const method of ['HEAD', 'GET', 'GET', 'GET']) {
    const old = `${origin}/api/auth/v1/verify?token=${token_hash}&type=recovery&redirect_to=${origin}/settings`;
    const answer = await fetch(old, { method, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(new URL(answer.headers.get('Location') ?? '').hash).toBe(
      `#type=recovery&token_hash=${token_hash}&next=%2Fsettings`,
    );
  }
  const described = await auth('/verify/describe', { type: 'recovery', token_hash });
  expect(await described.json()).toEqual({
    type: 'recovery',
    email: person.email,
    keeps_password: true,
  });
  expect((await tab().auth.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull();
});

test('changing the password needs the current one, and a mail tells the owner', async () => {
  const person = await confirmed();
  const [here, elsewhere] = [tab(), tab()];
  for (const client of [here, elsewhere])
    expect((await client.auth.signInWithPassword(person)).error).toBeNull();
  expect((await here.auth.updateUser({ password: 'another horse' })).error?.code).toBe(
    'current_password_required',
  );
  const wrong = await here.auth.updateUser({
    password: 'another horse',
    current_password: 'a guess',
  });
  expect(wrong.error?.code).toBe('current_password_invalid');
  const changed = await here.auth.updateUser({
    password: 'another horse',
    current_password: person.password,
  });
  expect(changed.error).toBeNull();
  expect((await here.auth.getUser()).error).toBeNull();
  expect((await elsewhere.auth.getUser()).error).not.toBeNull();
  const { type, token_hash } = await newestLink(person.email);
  expect(type).toBe('recovery');
  const owner = await tab().auth.verifyOtp({ type: 'recovery', token_hash });
  expect(owner.data.user?.app_metadata).toMatchObject({ has_password: false });
  expect((await here.auth.getUser()).error).not.toBeNull();
});

test('signing up reveals nothing about whether the address has an account', async () => {
  const { email } = await confirmed();
  const [known, fresh] = await Promise.all(
    [email, address()].map(
      async (one) => (await tab().auth.signUp({ email: one, password: 'another horse' })).data.user,
    ),
  );
  expect(Object.keys(known ?? {})).toEqual(Object.keys(fresh ?? {}));
  expect([known?.role, known?.identities?.length]).toEqual([
    fresh?.role,
    fresh?.identities?.length,
  ]);
  expect(
    (await tab().auth.signInWithPassword({ email, password: 'another horse' })).error?.code,
  ).toBe('invalid_credentials');
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

test('pages of other origins may call the sign-in service', async () => {
  const preflight = await fetch(`${origin}/api/auth/v1/token?grant_type=password`, {
    method: 'OPTIONS',
    headers: {
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers':
        'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

import { describe, expect, it } from 'vitest';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { EMBEDDED, mailsTo, signInEmbedded, tab } from '#worker/testing/sign-in.ts';

/** The attacker knows an address and owns short links, but cannot read the mailbox. */

const address = (): string => `${crypto.randomUUID().slice(0, 8)}@example.com`;
const newestLink = async (email: string): Promise<string> => (await mailsTo(email))[0]?.link ?? '';
/** The token of a mailed link, from its fragment or its query. */
const tokenIn = (link: string): string => {
  const url = new URL(link);
  return (
    new URLSearchParams(url.hash.slice(1)).get('token_hash') ?? url.searchParams.get('token') ?? ''
  );
};
const redeem = (link: string, type: string) =>
  call('/api/auth/v1/verify', { json: { type, token_hash: tokenIn(link) } }, EMBEDDED);
/** Opens a link like a mail scanner, in the current and the older form. Returns every response. */
async function scan(link: string, type: string): Promise<Response[]> {
  const old = `/api/auth/v1/verify?token=${tokenIn(link)}&type=${type}&redirect_to=${ORIGIN}`;
  const seen: Response[] = [];
  for (const url of [link, old])
    for (const method of ['HEAD', 'GET', 'GET', 'GET'])
      seen.push(await call(url, { method }, EMBEDDED));
  return seen;
}
/** Follows a link's redirects while they stay on our origin. Returns every target. */
async function followRedirects(link: string): Promise<string[]> {
  const targets: string[] = [];
  for (
    let at: string | null = link;
    at !== null && at.startsWith(ORIGIN) && targets.length < 5;
    at = targets.at(-1) ?? null
  ) {
    const location = (
      await call(at, { headers: { 'Sec-Fetch-Mode': 'navigate' } }, EMBEDDED)
    ).headers.get('Location');
    if (location === null) break;
    targets.push(new URL(location, at).href);
  }
  return targets;
}
const post = (path: string, init: RequestInit & { json?: unknown }, overrides: Partial<Env> = {}) =>
  call(`/api/auth/v1${path}`, { method: 'POST', ...init }, { ...EMBEDDED, ...overrides });
const isSignedIn = async (email: string, password: string) =>
  (await tab().auth.signInWithPassword({ email, password })).error === null;
describe('attacks on the sign-in service', () => {
  it('[A1] a recovery email never leads to a short link', async () => {
    const { email } = await signInEmbedded();
    const created = await call(
      '/api/shorten',
      { json: { longUrl: 'https://attacker.example/collect' } },
      EMBEDDED,
    );
    const { code } = await created.json<{ code: string }>();
    await tab().auth.resetPasswordForEmail(email, { redirectTo: `${ORIGIN}/${code}` });
    const link = await newestLink(email);
    const targets = await followRedirects(link);
    expect(targets.filter((url) => /access_token|refresh_token/.test(url))).toEqual([]);
    expect(targets.filter((url) => new URL(url).pathname === `/${code}`)).toEqual([]);
    expect(decodeURIComponent(link)).not.toContain(code);
  });

  it('[A1] a sign-up email keeps no redirect target but a page of the application', async () => {
    for (const target of [
      `${ORIGIN}/abc1234`,
      `${ORIGIN}/api/health`,
      `${ORIGIN}/robots.txt`,
      'http://localhost:9999/x',
      `${ORIGIN}/abc1234+`,
    ]) {
      const email = address();
      await tab().auth.signUp({
        email,
        password: 'secret-1',
        options: { emailRedirectTo: target },
      });
      const link = await newestLink(email);
      expect(decodeURIComponent(link)).not.toContain(target);
      expect((await followRedirects(link)).filter((url) => url.startsWith(target))).toEqual([]);
    }
  });

  it('[A2] proving the mailbox removes a password that was chosen before', async () => {
    const email = address();
    await tab().auth.signUp({ email, password: 'attacker-1' });
    await tab().auth.signUp({ email, password: 'owner-1' });
    const confirmed = await redeem(await newestLink(email), 'signup');
    expect(confirmed.status).toBe(200);
    expect(await isSignedIn(email, 'attacker-1')).toBe(false);
  });

  it('[A2] proving the mailbox ends the sessions from before', async () => {
    const email = address();
    const attacker = tab({ AUTH_AUTOCONFIRM: 'on' });
    await attacker.auth.signUp({ email, password: 'attacker-1' });
    expect((await attacker.auth.getUser()).error).toBeNull();
    await tab().auth.resetPasswordForEmail(email);
    expect((await redeem(await newestLink(email), 'recovery')).status).toBe(200);
    expect((await attacker.auth.getUser()).error).not.toBeNull();
    expect((await attacker.auth.refreshSession()).error).not.toBeNull();
    expect(await isSignedIn(email, 'attacker-1')).toBe(false);
  });

  it('[A2] signing up again reveals nothing about the address', async () => {
    const { email } = await signInEmbedded();
    const pending = address();
    await tab().auth.signUp({ email: pending, password: 'secret-1' });
    const shapes: string[] = [];
    const ids: string[] = [];
    for (const one of [address(), pending, pending, email]) {
      const { user } = (await tab().auth.signUp({ email: one, password: 'guess-1' })).data;
      ids.push(user?.id ?? '');
      shapes.push(
        `${Object.keys(user ?? {})
          .sort()
          .join()} ${user?.role} ${user?.identities?.length}`,
      );
    }
    expect(new Set(shapes).size).toBe(1);
    expect(new Set(ids).size).toBe(4);
  });

  it('[A3] a mail scanner that opens every link confirms nothing', async () => {
    const email = address();
    await tab().auth.signUp({ email, password: 'attacker-1' });
    await scan(await newestLink(email), 'signup');
    const { error } = await tab().auth.signInWithPassword({ email, password: 'attacker-1' });
    expect(error?.code).toBe('email_not_confirmed');
  });

  it('[A3] a mail scanner makes nobody an administrator', async () => {
    const email = address();
    await tab().auth.signUp({ email, password: 'attacker-1' });
    await scan(await newestLink(email), 'signup');
    const { data } = await tab().auth.signInWithPassword({ email, password: 'attacker-1' });
    const headers = { Authorization: `Bearer ${data.session?.access_token}` };
    const me = await call('/api/me', { headers }, { ...EMBEDDED, ADMIN_EMAILS: email });
    expect([me.status, (await me.json<{ role?: string }>()).role]).toEqual([401, undefined]);
  });

  it('[A3] a link that a mail scanner opened still works, and so does its code', async () => {
    const byLink = await signInEmbedded();
    await tab().auth.resetPasswordForEmail(byLink.email);
    const link = await newestLink(byLink.email);
    await scan(link, 'recovery');
    expect((await redeem(link, 'recovery')).status).toBe(200);
    const byCode = await signInEmbedded();
    await tab().auth.resetPasswordForEmail(byCode.email);
    const [mail] = await mailsTo(byCode.email);
    await scan(mail?.link ?? '', 'recovery');
    const token = /\b\d{6}\b/.exec((mail?.text ?? '').replaceAll(/https?:\S+/g, ''))?.[0] ?? '';
    expect(
      (await tab().auth.verifyOtp({ email: byCode.email, token, type: 'recovery' })).error,
    ).toBeNull();
  });

  it('[A5] opening a mailed link never puts a session into a URL', async () => {
    const { email } = await signInEmbedded();
    await tab().auth.resetPasswordForEmail(email);
    const answers = await scan(await newestLink(email), 'recovery');
    const leaks = /access_token|refresh_token|[?&#]code=/;
    expect(
      answers
        .map((answer) => answer.headers.get('Location') ?? '')
        .filter((url) => leaks.test(url)),
    ).toEqual([]);
  });

  it('[A9] a form on another site sends no email', async () => {
    const { email } = await signInEmbedded();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      for (const path of ['/recover', '/signup', '/resend']) {
        const body = JSON.stringify({ email, password: 'secret-1', type: 'signup' });
        const headers = { 'Content-Type': type, Origin: 'https://attacker.example' };
        expect([type, path, (await post(path, { body, headers })).status]).toEqual([
          type,
          path,
          415,
        ]);
      }
    expect(await mailsTo(email)).toEqual([]);
  });

  it('[A9] an address gets at most ten emails a day', async () => {
    const { email } = await signInEmbedded();
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, host) =>
        post('/recover', { json: { email }, headers: { 'CF-Connecting-IP': `203.0.113.${host}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    expect(await mailsTo(email)).toHaveLength(10);
  });

  it('[A9] a network cannot have emails sent to many strangers', async () => {
    const sent: unknown[] = [];
    const EMAIL: SendEmail = {
      send: async (mail: unknown) => ({ messageId: String(sent.push(mail)) }),
    };
    const deployed = { DEV_MAILBOX: 'off', MAIL_FROM: 'hop@example.com', EMAIL };
    const answers: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      const json = { email: address(), password: 'secret-1' };
      answers.push(
        (
          await post(
            '/signup',
            { json, headers: { 'CF-Connecting-IP': '198.51.100.99' } },
            deployed,
          )
        ).status,
      );
    }
    expect(answers.slice(10)).toEqual([429, 429]);
    expect(sent).toHaveLength(10);
  });

  it('[A17] a session alone cannot change the password', async () => {
    const { email, password, headers } = await signInEmbedded();
    const change = (json: object) => post('/user', { method: 'PUT', json, headers });
    expect((await change({ password: 'attacker-1' })).status).toBe(400);
    expect((await change({ password: 'attacker-1', current_password: 'a guess' })).status).toBe(
      400,
    );
    expect(await isSignedIn(email, password)).toBe(true);
  });

  it('[A17] a session alone cannot delete the account', async () => {
    const { email, password, headers } = await signInEmbedded();
    const json = { confirm: 'delete my account', links: 'remove' };
    const answer = await call('/api/account', { method: 'DELETE', json, headers }, EMBEDDED);
    expect([answer.status, (await answer.json<{ code?: string }>()).code]).toEqual([
      403,
      'reauthentication_required',
    ]);
    expect(await isSignedIn(email, password)).toBe(true);
  });

  it('[A17] the owner gets an email about a changed password or a deleted account', async () => {
    const { email, password, headers } = await signInEmbedded();
    await post('/user', {
      method: 'PUT',
      json: { password: 'changed-1', current_password: password },
      headers,
    });
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Your Hop password was changed',
    ]);
    const link = await newestLink(email);
    const json = { confirm: 'delete my account', links: 'remove', currentPassword: 'changed-1' };
    const taken = await signInEmbedded();
    await call(
      '/api/account',
      {
        method: 'DELETE',
        json: { ...json, currentPassword: taken.password },
        headers: taken.headers,
      },
      EMBEDDED,
    );
    expect((await mailsTo(taken.email)).map(({ subject }) => subject)).toEqual([
      'Your Hop account was deleted',
    ]);
    // The link in the notice removes the attacker's password.
    expect((await redeem(link, 'recovery')).status).toBe(200);
    expect(await isSignedIn(email, 'changed-1')).toBe(false);
  });
});

import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { countNotice } from '#worker/auth/limits/attempts.ts';
import { createAuthContext } from '#worker/auth/service/context.ts';
import { openDb } from '#worker/db/client.ts';
import { auth_sessions } from '#worker/db/schema-auth.ts';
import { call, ORIGIN } from '#worker/testing/call.ts';
import { makeAuthenticator, passkeyCalls } from '#worker/testing/passkey.ts';
import { EMBEDDED, mailsTo, pressLink, signInEmbedded, tab } from '#worker/testing/sign-in.ts';
import type { Passkey } from '#contract/sign-in/passkeys.ts';
import { listPasskeys, recordProof } from './passkey-store.ts';

const db = openDb(env.DB);
const nobody = passkeyCalls({});
const password = 'correct horse';

/** Somebody signs up with an address that is not theirs, where no mail confirms it. */
async function signUpForAnother() {
  const email = `${crypto.randomUUID().slice(0, 8)}@example.com`;
  const { data } = await tab({ AUTH_AUTOCONFIRM: 'on' }).auth.signUp({ email, password });
  return { email, headers: { Authorization: `Bearer ${data.session?.access_token}` } };
}
const mailOf = async (email: string) => {
  await tab().auth.resetPasswordForEmail(email);
  return (await mailsTo(email))[0];
};

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM counters').run();
});

describe('two requests at once with passkeys', () => {
  it('[A23] one answer starts one session', async () => {
    const owner = await signInEmbedded();
    const authenticator = await makeAuthenticator();
    await passkeyCalls(owner.headers).add(authenticator, owner.password);
    const answer = await authenticator.sign(await nobody.begin('/authentication/options'), {
      counter: 0,
    });
    const sent = [1, 2, 3].map(() => nobody.ask('/authentication/verify', answer));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
  });

  it('a proof changes nothing if its session has changed meanwhile', async () => {
    const owner = await signInEmbedded();
    await passkeyCalls(owner.headers).add(await makeAuthenticator(), owner.password);
    const [passkey = expect.fail()] = await listPasskeys(db, owner.id);
    const session = await db
      .select()
      .from(auth_sessions)
      .where(eq(auth_sessions.user_id, owner.id))
      .get();
    const stale = { ...(session ?? expect.fail()), amr: '[]' };
    expect(await recordProof(db, passkey, passkey.counter + 1, stale, 'new', 1)).toBe(false);
    expect(await listPasskeys(db, owner.id)).toEqual([passkey]);
  });

  it('[A23] a passkey that arrives while the mailbox is proven signs nobody in', async () => {
    for (const delay of [0, 5, 20]) {
      const thief = await signUpForAnother();
      const calls = passkeyCalls(thief.headers);
      const [first, second] = [await makeAuthenticator(), await makeAuthenticator()];
      expect((await calls.add(first, password)).status).toBe(200);
      const begun = await calls.begin('/registration/options', { current_password: password });
      const mail = await mailOf(thief.email);
      const [proven] = await Promise.all([
        pressLink(mail),
        new Promise((resolve) => setTimeout(resolve, delay)).then(() =>
          calls.ask('/registration/verify', second.create(begun)),
        ),
        nobody.signIn(first),
      ]);
      expect(proven.status).toBe(200);
      const { access_token } = await proven.json<{ access_token: string }>();
      const owner = passkeyCalls({ Authorization: `Bearer ${access_token}` });
      expect(await (await owner.ask('', undefined, 'GET')).json()).toEqual([]);
      for (const one of [first, second]) expect((await nobody.signIn(one)).status).toBe(403);
      const rows = env.DB.prepare(
        'SELECT count(*) AS n FROM auth_sessions s JOIN auth_users u ON u.id = s.user_id WHERE u.email = ?1',
      );
      expect(await rows.bind(thief.email).first('n')).toBe(1);
    }
  });
});

describe('a thief with a passkey', () => {
  it('[A23] loses it even after the day’s notices are used up', async () => {
    const owner = await signInEmbedded();
    const calls = passkeyCalls(owner.headers);
    const authenticator = await makeAuthenticator();
    const added = await calls.add(authenticator, owner.password);
    const { id } = await added.json<Passkey>();
    const context = createAuthContext({ ...env, ...EMBEDDED }, db, new Request(ORIGIN), Date.now());
    while ((await countNotice(context, owner.email, 'key')).ok);
    const key = { name: 'CI', scopes: ['links:read'] };
    const { headers } = owner;
    expect((await call('/api/keys', { json: key, headers }, EMBEDDED)).status).toBe(429);
    expect((await calls.ask(`/${id}`, undefined, 'DELETE')).status).toBe(204);
    expect((await nobody.signIn(authenticator)).status).toBe(403);
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toHaveLength(1);
  });
});

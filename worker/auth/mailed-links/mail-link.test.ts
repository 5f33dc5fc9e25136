import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from '#worker/auth/accounts/change-account.ts';
import { createAccount } from '#worker/auth/accounts/create-account.ts';
import { createAuthContext } from '#worker/auth/service/context.ts';
import { findById } from '#worker/auth/service/store.ts';
import { newSession } from '#worker/auth/sessions/sessions.ts';
import { openDb } from '#worker/db/client.ts';
import { auth_sessions } from '#worker/db/schema-auth.ts';
import type { Mail } from '#worker/mail/compose.ts';
import type { Mailer } from '#worker/mail/mailer.ts';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { ORIGIN } from '#worker/testing/call.ts';
import { beforeBatch } from '#worker/testing/faults.ts';
import { CHEAP, EMBEDDED, linkIn } from '#worker/testing/sign-in.ts';
import { mailLink } from './mail-link.ts';
import { describeMailedLink } from './redeem.ts';

const db = openDb(env.DB);
const NOW = 1_000_000;
const contextOf = (DB = env.DB) =>
  createAuthContext({ ...env, ...EMBEDDED }, openDb(DB), new Request(ORIGIN), NOW);
const sentMails: { subject: string; works: boolean }[] = [];
/** Records every email, and whether its link already works. */
const send = async (mail: Mail): Promise<null> => {
  const { token_hash: token } = linkIn({ ...mail, sentAt: '' });
  const kinds = ['signup', 'recovery', 'secure'] as const;
  const link = { kinds: [...kinds], hash: hashToken(token), secretHash: null };
  sentMails.push({
    subject: mail.subject,
    works: (await describeMailedLink(contextOf(), link)).ok,
  });
  return null;
};
const defer = async (work: Promise<unknown>) => void (await work);
const mailer: Mailer = { send, simulate: async () => {}, defer };

async function makeAccount() {
  const email = `${crypto.randomUUID().slice(0, 8)}@example.com`;
  const input = { email, password: 'correct horse', confirmed: true, now: 1 };
  const id = await createAccount(db, input, CHEAP);
  const account = await findById(db, id ?? '');
  if (account === undefined) throw new Error('The account was not created.');
  return account;
}
/** Changes the password in a session that began with a mailed code. */
async function changePassword(DB: D1Database): Promise<void> {
  const account = await makeAccount();
  const session = { ...newSession(contextOf(), 'otp'), user_id: account.id };
  await db.insert(auth_sessions).values(session);
  const notify = async (mail: Mail) => void (await send(mail));
  const owner = { ...contextOf(DB), account, session, notify };
  const change = { password: 'another horse', currentPassword: '', email: '', metadata: null };
  await changeAccount(owner, change);
}
const mailOf = (kind: 'signup' | 'recovery') => async (DB: D1Database) => {
  const account = await makeAccount();
  await mailLink({ ...contextOf(DB), mailer }, { email: account.email, account }, kind, '/');
};

/** A database that fails when a link is stored, which is the only batch of three or more. */
const withoutTokens = beforeBatch(env.DB, (_, statements) => {
  if (statements > 2) throw new Error('D1 is down');
});

beforeEach(() => void sentMails.splice(0));

describe('emails with a link', () => {
  it.each([
    ['Confirm your email address for Hop', mailOf('signup')],
    ['Reset your Hop password', mailOf('recovery')],
    ['Your Hop password was changed', changePassword],
  ])('the email “%s” is sent only after its link was stored', async (subject, act) => {
    await act(env.DB);
    expect(sentMails.splice(0)).toEqual([{ subject, works: true }]);
    await expect(act(withoutTokens)).rejects.toThrow('D1 is down');
    expect(sentMails).toEqual([]);
  });
});

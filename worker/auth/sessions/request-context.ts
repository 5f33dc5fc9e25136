import type { Context } from 'hono';
import { guardWrites } from '#worker/db/guard-writes.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { canSendMail, createNotifier, type MailerInput, type Notify } from '#worker/mail/mailer.ts';
import { createAuthContext, type AuthContext } from '#worker/auth/service/context.ts';
import { valueOrThrow } from '#worker/auth/service/errors.ts';
import { sessionMaxMs } from '#worker/auth/service/settings.ts';
import { authenticate, findCaller, type FactorCaller } from './sessions.ts';
import { sessionHolds, signInHolds } from './session-state.ts';

type C = Context<ApiEnv>;

export const authContext = (c: C): AuthContext =>
  createAuthContext(c.env, c.get('db'), c.req.raw, c.get('now'));

export const mailerInput = (c: C): MailerInput => ({
  env: c.env,
  db: c.get('db'),
  requestUrl: c.req.url,
  now: c.get('now'),
  waitUntil: (work) => c.executionCtx.waitUntil(work),
});

/** Sends notices; null if this server sends no mail. */
export const notifierOf = (c: C): Notify | null =>
  canSendMail(c.env, c.req.url) ? createNotifier(mailerInput(c)) : null;

export const signedInOwner = async (c: C, now = c.get('now')) =>
  valueOrThrow(await authenticate({ ...authContext(c), now }, c.req.header('Authorization')));

/** The signed-in owner of an account, and a database that writes only while this session lasts. */
export async function signedInWriter(c: C) {
  const { account, session } = await signedInOwner(c);
  const db = guardWrites(c.get('db'), {
    holds: (now) => sessionHolds(account.id, session.id, sessionMaxMs(c.env), now),
    check: async () => void (await signedInOwner(c, Date.now())),
  });
  return { account, session, db };
}

const findFactorCaller = async (c: C, now = c.get('now')): Promise<FactorCaller> =>
  valueOrThrow(await findCaller({ ...authContext(c), now }, c.req.header('Authorization')));

/**
 * `signedInWriter` for routes that also finish a sign-in. For one that waits for its second factor,
 * the database writes only while it waits.
 */
export async function factorWriter(c: C) {
  const caller = await findFactorCaller(c);
  const { id } = caller.session ?? caller.pending;
  const db = guardWrites(c.get('db'), {
    holds: (now) => signInHolds(caller.account.id, id, sessionMaxMs(c.env), now),
    check: async () => void (await findFactorCaller(c, Date.now())),
  });
  return { ...caller, db };
}

/** `signedInWriter`, with what a change of an account and the notice about it need besides. */
export async function ownerOf(c: C) {
  return { ...authContext(c), ...(await signedInWriter(c)), request: requestContext(c) };
}

export type OwnerContext = Awaited<ReturnType<typeof ownerOf>>;

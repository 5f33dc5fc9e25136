import { Hono, type Context } from 'hono';
import type { FactorStatus } from '#contract/sign-in/second-factor.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { limitRequests } from '#worker/auth/limits/limit-requests.ts';
import { answerSignIn } from '#worker/auth/notices/answer-sign-in.ts';
import { finish } from '#worker/auth/notices/finish.ts';
import { readBody, readString } from '#worker/auth/service/body.ts';
import { AuthError, valueOrThrow } from '#worker/auth/service/errors.ts';
import type { Result } from '#worker/auth/service/problems.ts';
import { factorId, hasTotp } from '#worker/auth/service/user-json.ts';
import {
  authContext,
  factorWriter,
  notifierOf,
  ownerOf,
  signedInOwner,
} from '#worker/auth/sessions/request-context.ts';
import { countRecoveryCodes } from './factor-store.ts';
import { beginFactor, finishFactor, removeFactor, renewRecoveryCodes } from './manage-factor.ts';
import { finishRequestedReset, requestReset, stopRequestedReset } from './reset.ts';
import { findResetOf } from './reset-store.ts';
import { verifyFactor } from './verify-factor.ts';

type C = Context<ApiEnv>;

/**
 * The second factor, in the form of the client's `auth.mfa` where it has one. A token of a sign-in
 * that waits for its code is accepted by two routes: `verify` and the request of a reset.
 */
export const factorRoutes = new Hono<ApiEnv>();

factorRoutes.get('/factors', async (c) => {
  const { account } = await signedInOwner(c);
  const { db, now } = authContext(c);
  const [codes, reset] = [
    await countRecoveryCodes(db, account.id),
    await findResetOf(db, account.id, now),
  ];
  const status: FactorStatus = {
    factor:
      account.totp_confirmed_at === null
        ? null
        : {
            id: factorId(account.id),
            since: new Date(account.totp_confirmed_at).toISOString(),
            recovery_codes: codes,
          },
    reset_at: reset === undefined ? null : new Date(reset.ready_at).toISOString(),
  };
  return c.json(status);
});

factorRoutes.post('/factors', limitRequests('factor'), async (c) => {
  const owner = await ownerOf(c);
  const body = readBody(c);
  if (readString(body, 'factor_type') !== 'totp') throw new AuthError('factor_type_unknown');
  const begun = valueOrThrow(await beginFactor(owner, readString(body, 'current_password')));
  return c.json({
    id: factorId(owner.account.id),
    type: 'totp',
    friendly_name: '',
    // The client makes an image of it unless it is empty. Pages draw the address themselves.
    totp: { qr_code: '', ...begun },
  });
});

/** The client asks for a challenge first. A code of an app needs none, so nothing is stored. */
factorRoutes.post('/factors/:id/challenge', limitRequests('factor'), async (c) => {
  readBody(c);
  const { account } = await factorWriter(c);
  requireFactor(c, account.id);
  const expires_at = Math.floor(c.get('now') / 1000) + 300;
  return c.json({ id: crypto.randomUUID(), type: 'totp', expires_at });
});

/** Confirms a new app, or shows the second factor: at a sign-in and within a session. */
factorRoutes.post('/factors/:id/verify', limitRequests('factor'), async (c) => {
  const caller = await factorWriter(c);
  const code = readString(readBody(c), 'code').trim();
  requireFactor(c, caller.account.id);
  if (!hasTotp(caller.account) && caller.session !== null) {
    const owner = await ownerOf(c);
    return c.json(valueOrThrow(await finishFactor(owner, code)));
  }
  const context = authContext(c);
  const result = await verifyFactor(context, caller, code);
  return result.ok && caller.session === null
    ? answerSignIn(c, context, 'second_factor', caller.account.email, result)
    : c.json(valueOrThrow(result));
});

factorRoutes.delete('/factors/:id', limitRequests('factor'), async (c) => {
  const owner = await ownerOf(c);
  const password = readString(readBody(c), 'current_password');
  requireFactor(c, owner.account.id);
  valueOrThrow(await removeFactor(owner, password));
  return c.json({ id: factorId(owner.account.id) });
});

factorRoutes.post('/factors/recovery-codes', limitRequests('factor'), async (c) => {
  const password = readString(readBody(c), 'current_password');
  return c.json(valueOrThrow(await renewRecoveryCodes(await ownerOf(c), password)));
});

factorRoutes.post('/factors/reset', limitRequests('factor'), async (c) => {
  readBody(c);
  const { account, db } = await factorWriter(c);
  const requested = requestReset({ ...authContext(c), db, notify: notifierOf(c) }, account);
  return c.json(valueOrThrow(await finished(c, requested)));
});

/** The token of the first mail authorizes the request. */
factorRoutes.post('/factors/reset/stop', limitRequests('factor'), async (c) =>
  c.json(valueOrThrow(await stopRequestedReset(authContext(c), readString(readBody(c), 'token')))),
);

/** The token of the second mail authorizes the request. */
factorRoutes.post('/factors/reset/finish', limitRequests('factor'), async (c) => {
  const token = readString(readBody(c), 'token');
  const done = finishRequestedReset({ ...authContext(c), notify: notifierOf(c) }, token);
  return c.json(valueOrThrow(await finished(c, done)));
});

const finished = <T>(c: C, work: Promise<Result<T>>): Promise<Result<T>> =>
  finish(work, (promise) => c.executionCtx.waitUntil(promise));

/** An account has one app, so another id is a mistake. */
function requireFactor(c: C, userId: string): void {
  if (c.req.param('id') !== factorId(userId)) throw new AuthError('factor_unknown');
}

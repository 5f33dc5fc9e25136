import { Hono, type Context } from 'hono';
import { uniqueName } from '#contract/common-schemas.ts';
import { PASSKEY_NAME_MAX } from '#contract/passkeys.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { canSendMail, createNotifier } from '#worker/mail/mailer.ts';
import { limitRequests } from '#worker/auth/limits/limit-requests.ts';
import { finish } from '#worker/auth/notices/finish.ts';
import { readBody, readObject, readString } from '#worker/auth/service/body.ts';
import { AuthError, valueOrThrow } from '#worker/auth/service/errors.ts';
import { logSignIn } from '#worker/auth/service/sign-in-log.ts';
import {
  authContext,
  mailerInput,
  signedInOwner,
  signedInWriter,
} from '#worker/auth/sessions/request-context.ts';
import { beginAdding, finishAdding, removePasskey, type PasskeyOwner } from './add-passkey.ts';
import { listPasskeys, renamePasskey, toPasskey } from './passkey-store.ts';
import { beginProof, beginSignIn, provePasskey, signInWithPasskey } from './use-passkey.ts';

type C = Context<ApiEnv>;

/** Passkeys, as the sign-in client asks for them (docs/auth-protocol.md#passkeys). */
export const passkeyRoutes = new Hono<ApiEnv>();

passkeyRoutes.post('/passkeys/authentication/options', limitRequests('passkey'), async (c) => {
  readBody(c);
  return c.json(valueOrThrow(await beginSignIn(authContext(c))));
});

passkeyRoutes.post('/passkeys/authentication/verify', limitRequests('passkey'), async (c) => {
  const context = authContext(c);
  const result = await signInWithPasskey(context, readPresented(c));
  logSignIn(context, 'passkey', null, result);
  return c.json(valueOrThrow(result));
});

passkeyRoutes.post('/passkeys/proof/options', limitRequests('user'), async (c) => {
  const owner = await signedInWriter(c);
  readBody(c);
  return c.json(valueOrThrow(await beginProof({ ...authContext(c), ...owner })));
});

passkeyRoutes.post('/passkeys/proof/verify', limitRequests('user'), async (c) => {
  const owner = await signedInWriter(c);
  valueOrThrow(await provePasskey({ ...authContext(c), ...owner }, readPresented(c)));
  return c.json({});
});

passkeyRoutes.post('/passkeys/registration/options', limitRequests('user'), async (c) => {
  const owner = await ownerOf(c);
  const currentPassword = readString(readBody(c), 'current_password');
  return c.json(valueOrThrow(await beginAdding(owner, currentPassword)));
});

passkeyRoutes.post('/passkeys/registration/verify', limitRequests('user'), async (c) => {
  const owner = await ownerOf(c);
  const { token, credential } = readPresented(c);
  const added = await finish(finishAdding(owner, token, credential), (work) =>
    c.executionCtx.waitUntil(work),
  );
  return c.json(toPasskey(valueOrThrow(added)));
});

passkeyRoutes.get('/passkeys', async (c) => {
  const { account } = await signedInOwner(c);
  return c.json((await listPasskeys(c.get('db'), account.id)).map(toPasskey));
});

passkeyRoutes.patch('/passkeys/:id', limitRequests('user'), async (c) => {
  const { account, db } = await signedInWriter(c);
  const name = readName(readString(readBody(c), 'friendly_name'));
  const renamed = await renamePasskey(db, account.id, c.req.param('id'), name);
  if (renamed === undefined) throw new AuthError('passkey_not_found');
  return c.json(toPasskey(renamed));
});

passkeyRoutes.delete('/passkeys/:id', limitRequests('user'), async (c) => {
  const owner = await ownerOf(c);
  const removed = removePasskey(owner, c.req.param('id'));
  valueOrThrow(await finish(removed, (work) => c.executionCtx.waitUntil(work)));
  return c.body(null, 204);
});

function readPresented(c: C) {
  const body = readBody(c);
  return {
    token: readString(body, 'challenge_id'),
    credential: readObject(body, 'credential') ?? {},
  };
}

const NAME = uniqueName('passkey', PASSKEY_NAME_MAX, 'Enter a name.');

function readName(text: string): string {
  const { data, error } = NAME.safeParse(text);
  if (data === undefined)
    throw new AuthError('passkey_name_invalid', { detail: error?.issues[0]?.message ?? '' });
  return data;
}

async function ownerOf(c: C): Promise<PasskeyOwner> {
  const owner = await signedInWriter(c);
  const canTell = canSendMail(c.env, c.req.url);
  return {
    ...authContext(c),
    ...owner,
    notify: canTell ? createNotifier(mailerInput(c)) : null,
  };
}

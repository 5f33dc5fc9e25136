import { Hono, type Context } from 'hono';
import { passkeyName } from '#contract/sign-in/passkey-name.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { limitRequests } from '#worker/auth/limits/limit-requests.ts';
import { answerSignIn } from '#worker/auth/notices/answer-sign-in.ts';
import { readBody, readObject, readString } from '#worker/auth/service/body.ts';
import { AuthError, valueOrThrow } from '#worker/auth/service/errors.ts';
import {
  authContext,
  ownerOf,
  signedInOwner,
  signedInWriter,
} from '#worker/auth/sessions/request-context.ts';
import { beginAdding, finishAdding, removePasskeyAndTell } from './add-passkey.ts';
import { listPasskeys, setPasskeyName, toPasskey } from './passkey-store.ts';
import { beginProof, beginSignIn, acceptPasskeyProof, signInByPasskey } from './use-passkey.ts';

type C = Context<ApiEnv>;

/** Passkeys, as the sign-in client asks for them (docs/auth-protocol.md#passkeys). */
export const passkeyRoutes = new Hono<ApiEnv>();

passkeyRoutes.post('/passkeys/authentication/options', limitRequests('passkey'), async (c) => {
  readBody(c);
  return c.json(valueOrThrow(await beginSignIn(authContext(c))));
});

passkeyRoutes.post('/passkeys/authentication/verify', limitRequests('passkey'), async (c) => {
  const context = authContext(c);
  const result = await signInByPasskey(context, readPresented(c));
  return answerSignIn(c, context, 'passkey', null, result);
});

passkeyRoutes.post('/passkeys/proof/options', limitRequests('user'), async (c) => {
  const owner = await signedInWriter(c);
  readBody(c);
  return c.json(valueOrThrow(await beginProof({ ...authContext(c), ...owner })));
});

passkeyRoutes.post('/passkeys/proof/verify', limitRequests('user'), async (c) => {
  const owner = await signedInWriter(c);
  valueOrThrow(await acceptPasskeyProof({ ...authContext(c), ...owner }, readPresented(c)));
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
  return c.json(toPasskey(valueOrThrow(await finishAdding(owner, token, credential))));
});

passkeyRoutes.get('/passkeys', async (c) => {
  const { account } = await signedInOwner(c);
  return c.json((await listPasskeys(c.get('db'), account.id)).map(toPasskey));
});

passkeyRoutes.patch('/passkeys/:id', limitRequests('user'), async (c) => {
  const { account, db } = await signedInWriter(c);
  const name = readName(readString(readBody(c), 'friendly_name'));
  const renamed = await setPasskeyName(db, account.id, c.req.param('id'), name);
  if (renamed === undefined) throw new AuthError('passkey_not_found');
  return c.json(toPasskey(renamed));
});

passkeyRoutes.delete('/passkeys/:id', limitRequests('user'), async (c) => {
  const owner = await ownerOf(c);
  valueOrThrow(await removePasskeyAndTell(owner, c.req.param('id')));
  return c.body(null, 204);
});

function readPresented(c: C) {
  const body = readBody(c);
  return {
    token: readString(body, 'challenge_id'),
    credential: readObject(body, 'credential') ?? {},
  };
}

function readName(text: string): string {
  const { data, error } = passkeyName.safeParse(text);
  if (data === undefined)
    throw new AuthError('passkey_name_invalid', { detail: error?.issues[0]?.message ?? '' });
  return data;
}

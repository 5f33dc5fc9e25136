import { Hono, type Context } from 'hono';
import {
  apiKeyRequest,
  rotateRequest,
  type ApiKeysResponse,
  type CreatedApiKey,
} from '#contract/api/api-keys.ts';
import { HOUR_MS } from '#contract/time.ts';
import { requireFreshFactor } from '#worker/auth/sessions/reauthenticate.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { valueOrThrow } from '#worker/auth/service/errors.ts';
import { composeMail, type Mail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { limitWrites } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { createKey, readApiKeys, rotateKey } from './manage-keys.ts';
import { revokeKey } from './store.ts';

/** The keys of the signed-in member. A key cannot manage keys: these routes take a session only. */
export const apiKeysRoutes = new Hono<ApiEnv>();

type C = Context<ApiEnv>;

apiKeysRoutes.get('/keys', async (c) => {
  return c.json({
    keys: await readApiKeys(c.get('db'), requireMember(c).id, c.get('now')),
  } satisfies ApiKeysResponse);
});

apiKeysRoutes.post('/keys', async (c) => {
  const { id } = await limitWrites(c);
  const request = readJson(c, apiKeyRequest);
  await requireFreshFactor(c);
  const result = await withNotice(
    c,
    () => createKey(c.get('db'), id, request, c.get('now')),
    (created) => (created.ok ? composeNotice(c, created.key, 'created') : null),
  );
  if (!result.ok) throw apiError(result.reason);
  return c.json(result.key, 201);
});

apiKeysRoutes.post('/keys/:id/rotate', async (c) => {
  const { id } = await limitWrites(c);
  const { overlapHours } = readJson(c, rotateRequest);
  await requireFreshFactor(c);
  const rotation = {
    userId: id,
    id: c.req.param('id'),
    overlapMs: overlapHours * HOUR_MS,
    now: c.get('now'),
  };
  const key = await withNotice(
    c,
    () => rotateKey(c.get('db'), rotation),
    (rotated) => (rotated === null ? null : composeNotice(c, rotated, 'rotated')),
  );
  if (key === null) throw apiError('not_own_key');
  return c.json(key);
});

apiKeysRoutes.delete('/keys/:id', async (c) => {
  const { id } = await limitWrites(c);
  if (!(await revokeKey(c.get('db'), id, c.req.param('id'), c.get('now'))))
    throw apiError('not_own_key');
  return c.json({ success: true });
});

/** The owner is told by email, because a key outlives the session that created it. */
async function withNotice<T>(
  c: C,
  change: () => Promise<T>,
  mailOf: (result: T) => Mail | null,
): Promise<T> {
  const { email } = requireMember(c);
  return valueOrThrow(
    await changeAndNotify(requestContext(c), { email, kind: 'key', change, mailOf }),
  );
}

const composeNotice = (c: C, key: CreatedApiKey, what: 'created' | 'rotated'): Mail =>
  composeMail(
    requireMember(c).email,
    MAILS.key(key.prefix, what),
    `${c.get('origins').app}/settings/api`,
  );

import { env } from 'cloudflare:test';
import type { ApiKeyRequest, CreatedApiKey } from '#contract/api/api-keys.ts';
import type { Scope } from '#contract/api/scopes.ts';
import { SCOPES } from '#contract/api/scopes.ts';
import { createKey } from '#worker/api-keys/manage-keys.ts';
import { openDb } from '#worker/db/client.ts';
import { call } from './call.ts';
import { requireDocumented } from './documented-errors.ts';
import { makePerson, type Person } from './make.ts';

export type KeyHolder = { person: Person; key: CreatedApiKey; headers: Record<string, string> };

/**
 * Creates an API key of `person`, or of a new person on Premium. It has every scope unless
 * `options` says otherwise.
 */
export async function makeKey(
  options: Partial<ApiKeyRequest> & { person?: Person; scopes?: Scope[] } = {},
): Promise<KeyHolder> {
  const { person = await makePerson({ plan: 'premium' }), ...rest } = options;
  const request = { name: 'Test', scopes: [...SCOPES], ...rest };
  const made = await createKey(openDb(env.DB), person.id, request, Date.now());
  if (!made.ok) throw new Error(made.reason);
  return { person, key: made.key, headers: { Authorization: `Bearer ${made.key.key}` } };
}

type Init = RequestInit & { json?: unknown };

/**
 * Sends a request below /api/v1 with a key: `send(holder, 'GET /links')`. Throws for an error that
 * the OpenAPI document does not list.
 */
export async function send(
  { headers }: Pick<KeyHolder, 'headers'>,
  route: string,
  init: Init = {},
  overrides: Partial<Env> = {},
): Promise<Response> {
  const [method = 'GET', path = ''] = route.split(' ');
  const response = await call(
    `/api/v1${path}`,
    { method, ...init, headers: { ...headers, ...Object(init.headers) } },
    overrides,
  );
  await requireDocumented(method, `/api/v1${path}`, response);
  return response;
}

import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';
import { call } from './call.ts';

/** The request that the model of a takeover sends in every state. */
export const askMe = (token: string, overrides: Partial<Env>): Promise<Response> =>
  call('/api/me', { headers: { Authorization: `Bearer ${token}` } }, overrides);

export async function statusOf(token: string, overrides: Partial<Env>): Promise<number> {
  const response = await askMe(token, overrides);
  await response.body?.cancel();
  return response.status;
}

/** Fails the test unless role and suspension of the accounts of `email` are as expected. */
export async function checkAccounts(
  email: string,
  { proven, demoted, suspended }: Record<'proven' | 'demoted' | 'suspended', boolean>,
): Promise<void> {
  const accounts = await openDb(env.DB).select().from(users).where(eq(users.email, email));
  for (const { role, suspended_at } of accounts) {
    if (role === 'admin') expect({ proven, demoted }).toEqual({ proven: true, demoted: false });
    expect(suspended_at !== null, 'suspension of an account').toBe(suspended);
  }
}

export const newSecret = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');

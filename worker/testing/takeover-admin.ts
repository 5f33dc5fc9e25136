import { env } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { openDb } from '#worker/db/client.ts';
import { users } from '#worker/db/schema-users.ts';
import { call } from './call.ts';
import { signInEmbedded } from './sign-in.ts';

const db = openDb(env.DB);

/** An administrator who acts on every account that has the address. */
export async function makeTakeoverAdmin(serial: string, overrides: Partial<Env>) {
  const { id, email, password, headers } = await signInEmbedded({
    email: `admin-${serial}@example.com`,
  });
  let session = headers;
  await (await call('/api/me', { headers }, overrides)).body?.cancel();
  await db.update(users).set({ role: 'admin' }).where(eq(users.id, id));

  /**
   * Sends a request per account. Returns true if there was an account and all requests were
   * accepted.
   */
  const act = async (
    address: string,
    path: string,
    jsonOf: (userId: string) => unknown,
  ): Promise<boolean> => {
    const rows = await db.select({ id: users.id }).from(users).where(eq(users.email, address));
    const accepted: boolean[] = [];
    for (const row of rows) {
      const response = await call(path, { json: jsonOf(row.id), headers: session }, overrides);
      await response.body?.cancel();
      accepted.push(response.status === 200);
    }
    return accepted.length > 0 && !accepted.includes(false);
  };

  return {
    moderate: (address: string, action: 'disable' | 'enable') =>
      act(address, '/api/admin/moderation', (user_id) => ({
        action,
        scope: { kind: 'user', userId: user_id },
        reason: 'Model.',
      })),
    demote: (address: string) =>
      act(address, '/api/admin', (user_id) => ({ action: 'set_role', user_id, role: 'user' })),
    /** Signs in again after a restore, which ends every session. */
    async signInAgain(): Promise<void> {
      const response = await call(
        '/api/auth/v1/token?grant_type=password',
        { json: { email, password } },
        overrides,
      );
      const { access_token }: { access_token: string } = await response.json();
      session = { Authorization: `Bearer ${access_token}` };
    },
  };
}

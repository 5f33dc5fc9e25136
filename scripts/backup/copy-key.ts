import { copyKeyOf, readStoredCopyKey, type CopyKey } from '#worker/backup/backup-format.ts';
import { openDb } from '#worker/db/client.ts';

/**
 * Returns the key that signs copies: derived from AUTH_SECRET if it is known, otherwise the key
 * that the Worker stored in its database. Null if neither is known.
 */
export async function readCopyKey(env: Pick<Env, 'DB' | 'AUTH_SECRET'>): Promise<CopyKey | null> {
  const secret = process.env['AUTH_SECRET'] || env.AUTH_SECRET;
  return secret ? copyKeyOf(secret) : readStoredCopyKey(openDb(env.DB));
}

import { copyKeyOf, readStoredCopyKey, type CopyKey } from '#worker/backup/copy-key.ts';
import { openDb } from '#worker/db/client.ts';

/**
 * The key that signs copies: of AUTH_SECRET where the command or the local state has it, else the
 * one that the Worker has stored in its database. Null if neither is known.
 */
export async function readCopyKey(
  env: Pick<Env, 'DB' | 'AUTH_SECRET'>,
  given = process.env['AUTH_SECRET'] ?? '',
): Promise<CopyKey | null> {
  const secret = given === '' ? env.AUTH_SECRET : given;
  return secret ? copyKeyOf(secret) : readStoredCopyKey(openDb(env.DB));
}

import { cryptoRandom } from '#worker/edge/codes.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import { previewKey } from '#worker/http/cache-keys.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { evict } from '#worker/http/edge-cache.ts';
import { hashNewPasswords, PASSWORDS_BUSY } from '#worker/links/settings/hash-password.ts';
import { reputationOf } from '#worker/safety/target-policy.ts';
import { importLinks, type ImportOptions, type RowToImport } from './import-links.ts';

/** Imports rows, and publishes their links. */
export async function createImported(
  context: RequestContext,
  rows: readonly RowToImport[],
  options: Pick<ImportOptions, 'userId' | 'format' | 'importId' | 'collisions'>,
): Promise<(Awaited<ReturnType<typeof importLinks>> & { ok: true }) | typeof PASSWORDS_BUSY> {
  const { db, env, origins, now, waitUntil } = context;
  const hashed = await hashNewPasswords(env.PASSWORD_HASHERS, rows);
  if (hashed === null) return PASSWORDS_BUSY;
  const shared = { reputation: reputationOf(context), now, random: cryptoRandom };
  const imported = await importLinks(db, hashed, { ...shared, ...options });
  if (imported.ids.length > 0) {
    waitUntil(publishLater(env, imported.ids, now));
    await evict(imported.reused.map((code) => previewKey(origins, code)));
  }
  return { ok: true, ...imported };
}

import { HOUR_MS } from '#contract/time.ts';
import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { auth_keys } from '#worker/db/schema-auth.ts';
import { insertKey, readKeys } from './signing-keys.ts';

/** A key signs for this long. */
const ACTIVE_FOR_MS = 90 * 24 * HOUR_MS;
/** A new key is published before it signs, for longer than anybody keeps an old list (10 min in clients and isolates). */
const PUBLISHED_FIRST_MS = HOUR_MS;
/** A retired key stays for its last token's hour, and the ten minutes in which an isolate may still sign with it. */
const RETIRED_FOR_MS = 2 * HOUR_MS;

/** Does the rotation's next step that is due at `now`. Returns what it did, '' for nothing. Without any key it does nothing. */
export async function rotateKeys(db: Db, secret: string, now: number): Promise<string> {
  await db.delete(auth_keys).where(and(isNotNull(auth_keys.retired_at), lt(auth_keys.retired_at, now - RETIRED_FOR_MS)));
  // Only keys that this secret has sealed: another one must never be promoted.
  const keys = (await readKeys(db, secret)).map(({ row }) => row);
  const active = keys.find((key) => key.status === 'active');
  const next = keys.find((key) => key.status === 'next');
  if (active === undefined) return '';
  if (next === undefined) {
    if (now - active.created_at < ACTIVE_FOR_MS) return '';
    await insertKey(db, secret, 'next', now);
    return 'a new key is published';
  }
  if (now - next.created_at < PUBLISHED_FIRST_MS) return '';
  const stillNext = sql`exists (select 1 from auth_keys n where n.kid = ${next.kid} and n.status = 'next')`;
  await db.batch([
    db
      .update(auth_keys)
      .set({ status: 'retired', retired_at: now })
      .where(and(eq(auth_keys.kid, active.kid), stillNext)),
    db
      .update(auth_keys)
      .set({ status: 'active' })
      .where(and(eq(auth_keys.kid, next.kid), eq(auth_keys.status, 'next'))),
  ]);
  return 'the new key signs';
}

import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { isEmbedded } from '#worker/redirect/sign-in-settings.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { auth_keys } from '#worker/db/schema-auth.ts';
import type { JobResult } from '#worker/job-runtime/job-budget.ts';
import { insertSigningKey, readSigningKeys } from './signing-keys.ts';

const ACTIVE_FOR_MS = 90 * DAY_MS;
/**
 * How long a new key is published before it signs: longer than anybody caches the key set (10 min
 * in clients and isolates).
 */
const PUBLISHED_FIRST_MS = HOUR_MS;
/**
 * A retired key stays until its last token has expired: one hour, plus the 10 min in which an
 * isolate may still sign with it.
 */
const RETIRED_FOR_MS = 2 * HOUR_MS;

/**
 * Rotates the signing key if a step is due. Does nothing with a hosted sign-in service, which
 * rotates its own keys.
 */
export async function rotateSigningKeys(env: Env, now: number): Promise<JobResult> {
  return isEmbedded(env) ? rotateKeys(openDb(env.DB), authSecret(env), now) : {};
}

/**
 * Performs the step that is due at `now` (ms). Does nothing without a key.
 */
export async function rotateKeys(db: Db, secret: string, now: number): Promise<JobResult> {
  await db
    .delete(auth_keys)
    .where(and(isNotNull(auth_keys.retired_at), lt(auth_keys.retired_at, now - RETIRED_FOR_MS)));
  // Reads only keys that this secret encrypted, because no other key may become the active one.
  const keys = (await readSigningKeys(db, secret)).map(({ row }) => row);
  const active = keys.find((key) => key.status === 'active');
  const next = keys.find((key) => key.status === 'next');
  if (active === undefined) return {};
  if (next === undefined) {
    if (now - active.created_at < ACTIVE_FOR_MS) return {};
    await insertSigningKey(db, secret, 'next', now);
    return { reason: 'key_published' };
  }
  if (now - next.created_at < PUBLISHED_FIRST_MS) return {};
  const isStillNext = sql`exists (select 1 from ${auth_keys} as n where n.kid = ${next.kid} and n.status = 'next')`;
  await db.batch([
    db
      .update(auth_keys)
      .set({ status: 'retired', retired_at: now })
      .where(and(eq(auth_keys.kid, active.kid), isStillNext)),
    db
      .update(auth_keys)
      .set({ status: 'active' })
      .where(and(eq(auth_keys.kid, next.kid), eq(auth_keys.status, 'next'))),
  ]);
  return { reason: 'key_activated' };
}

import { desc, sql } from 'drizzle-orm';
import type { Db } from '#worker/db/client.ts';
import { auth_flow_failures } from '#worker/db/schema-auth.ts';
import { saveFact } from '#worker/db/system-facts.ts';
import { logEvent } from '#worker/log.ts';
import type { Failed } from './reasons.ts';

/** How many failures the system page shows, and the table keeps. */
const KEPT = 10;

/** The fact with the result of the last look at the provider's metadata. */
export const PROVIDER_LOOK = 'oidc';

/** Logs a failure and keeps it for the system page. */
export async function recordFailure(db: Db, { failure, detail }: Failed, now: number) {
  logEvent('oidc_failed', { reason: failure, detail });
  await db.batch([
    db.insert(auth_flow_failures).values({ at: now, reason: failure, detail }),
    db
      .delete(auth_flow_failures)
      .where(
        sql`${auth_flow_failures.id} <= (select max(id) from ${auth_flow_failures}) - ${KEPT}`,
      ),
  ]);
}

export const readFailures = (db: Db) =>
  db.select().from(auth_flow_failures).orderBy(desc(auth_flow_failures.id)).limit(KEPT);

/** Keeps the result of a look at the provider: '' if it was fine. */
export const recordLook = (db: Db, found: { ok: true } | Failed, now: number): Promise<void> =>
  saveFact(db, {
    name: PROVIDER_LOOK,
    at: now,
    value: found.ok ? '' : JSON.stringify([found.failure, found.detail]),
  });

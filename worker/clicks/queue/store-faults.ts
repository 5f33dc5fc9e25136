import { sql } from 'drizzle-orm';
import { plural } from '#contract/language.ts';
import { jsonList, runBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { click_faults } from '#worker/db/schema-clicks.ts';

/** Rows kept in `click_faults`: enough to see what is wrong, too few to fill the database. */
export const FAULTS_MAX = 500;
const BODY_MAX = 2_000;

/**
 * Stores messages that cannot be counted, so that a person can inspect them. Deletes the oldest
 * beyond `FAULTS_MAX`. Throws when D1 does.
 */
export async function storeFaults(
  db: Db,
  bodies: readonly unknown[],
  reason: string,
  now: number,
): Promise<void> {
  if (bodies.length === 0) return;
  const texts = bodies.map((body) => textOf(body).slice(0, BODY_MAX));
  await runBatch(db, [
    sql`insert into ${click_faults} (at, reason, body) select ${now}, ${reason}, value from ${jsonList(texts)}`,
    sql`delete from ${click_faults} where id <= (select max(id) from ${click_faults}) - ${FAULTS_MAX}`,
  ]);
}

function textOf(body: unknown): string {
  try {
    return JSON.stringify(body, redact) ?? String(body);
  } catch {
    return String(body);
  }
}

/**
 * Replaces visitor ids (`k`), which must not outlive 48 hours, and user agents, which are never
 * stored as sent, by their length.
 */
function redact(key: string, value: unknown): unknown {
  return (key === 'k' || key === 'ua') && typeof value === 'string'
    ? plural(value.length, 'character')
    : value;
}

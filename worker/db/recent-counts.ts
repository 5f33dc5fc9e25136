import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { MINUTE_MS } from '#contract/time.ts';
import type { Db } from './client.ts';
import { system_facts } from './schema-system.ts';
import type { SystemFact } from './system-facts.ts';

/** Counts of the last minutes are kept for the present interval and the one before. */
export const INTERVAL_MS = 5 * MINUTE_MS;

type Counts = Readonly<Record<string, number>>;
const recentSchema = z.object({
  interval: z.number(),
  counts: z.record(z.string(), z.number()),
  before: z.record(z.string(), z.number()),
});

/** Adds to the counts of the present interval of a fact: a single row, whoever else adds to it. */
export async function addRecent(db: Db, name: string, counts: Counts, now: number): Promise<void> {
  const interval = Math.floor(now / INTERVAL_MS);
  const { value } = system_facts;
  const stored = (path: string) => sql`json_extract(${value}, ${`$.${path}`})`;
  const sums = Object.entries(counts).map(
    ([key, n]) => sql`${key}, coalesce(${stored(`counts.${key}`)}, 0) + ${n}`,
  );
  const next = (added: SQL, before: SQL) =>
    sql`json_object('interval', ${interval}, 'counts', ${added}, 'before', ${before})`;
  const alone = sql`json(${JSON.stringify(counts)})`;
  await db
    .insert(system_facts)
    .values({ name, at: now, value: JSON.stringify({ interval, counts, before: {} }) })
    .onConflictDoUpdate({
      target: system_facts.name,
      set: {
        at: now,
        value: sql`case ${stored('interval')}
          when ${interval} then ${next(sql`json_object(${sql.join(sums, sql`, `)})`, sql`json(${stored('before')})`)}
          when ${interval - 1} then ${next(alone, sql`json(${stored('counts')})`)}
          else ${next(alone, sql`json('{}')`)} end`,
      },
    });
}

/** What a fact has counted in the present interval and in the whole one before it. */
export function readRecent({ value }: SystemFact, now: number): { counts: Counts; before: Counts } {
  const { interval, counts, before } = recentSchema.parse(JSON.parse(value));
  const age = Math.floor(now / INTERVAL_MS) - interval;
  if (age === 0) return { counts, before };
  return { counts: {}, before: age === 1 ? counts : {} };
}

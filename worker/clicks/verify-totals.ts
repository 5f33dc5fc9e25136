import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Change, ClickProof } from '#contract/admin.ts';
import { DAY_MS } from '#contract/time.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import type { JobBudget } from '#worker/db/job-budget.ts';
import { click_counts, link_totals } from '#worker/db/schema-clicks.ts';
import { links } from '#worker/db/schema.ts';
import { readJobState, saveJobState } from './job-state.ts';
import { startOfDay } from './periods.ts';
import { findStepEnd, resetSweep, sweepLinks, type LinkRange } from './sweep-links.ts';

const SWEEP = 'prove-clicks';
const RESULT = 'click-proof:result';
/** Differences listed in a result. */
const DRIFT_MAX = 20;
const FIGURES = ['human', 'bot', 'prefetch', 'visitors'] as const;

const drift = z.object({ short_code: z.string(), figure: z.enum(FIGURES), expected: z.number(), found: z.number() });
const clicks = z.object({ now: z.number(), before: z.number() });
const verification = z.object({
  ok: z.boolean(),
  checked_at: z.string(),
  links: z.number(),
  drift: z.array(drift),
  // An earlier release has stored its result without them.
  clicks: z._default(z.nullable(clicks), null),
});
/** `day`: start of the day of the check, in ms. */
const progress = z.object({ day: z.number(), links: z.number(), drift: z.array(drift), clicks });

const PERIOD_MS = 30 * DAY_MS;

type Drift = z.infer<typeof drift>;
type StepRow = Drift & Change;

/**
 * One snapshot of a range of links: the first row has their number as `found` and their clicks in the last 30 days and in the 30
 * days before. One row follows for each figure that differs.
 */
const selectDrift = ({ after, upTo }: LinkRange, day: number): SQL => sql`with compared as (
    select l.code, coalesce(c.now, 0) as now, coalesce(c.before, 0) as before,
      ${forEachFigure((f) => `coalesce(t.${f}, 0) as found_${f}, coalesce(c.${f}, 0) as sum_${f}`, ', ')}
    from ${links} l left join ${link_totals} t on t.link_id = l.id
    left join (select link_id, ${forEachFigure((f) => `sum(${f}) as ${f}`, ', ')},
        sum(human) filter (where at >= ${day - PERIOD_MS} and at < ${day}) as now,
        sum(human) filter (where at >= ${day - 2 * PERIOD_MS} and at < ${day - PERIOD_MS}) as before
      from ${click_counts} where link_id > ${after} and link_id <= ${upTo} group by link_id) c on c.link_id = l.id
    where l.id > ${after} and l.id <= ${upTo})
  select null as short_code, null as figure, 0 as expected, count(*) as found, coalesce(sum(now), 0) as now,
    coalesce(sum(before), 0) as before from compared
  ${forEachFigure((f) => `union all select code, '${f}', sum_${f}, found_${f}, 0, 0 from compared where sum_${f} <> found_${f}`, ' ')}`;

const updateTotals = ({ after, upTo }: LinkRange): SQL => sql`
  insert into ${link_totals} (link_id, human, bot, prefetch, visitors, first_at, last_at)
  select l.id, ${forEachFigure((f) => `coalesce(sum(c.${f}), 0)`, ', ')},
    min(c.at) filter (where c.human > 0), max(c.at) filter (where c.human > 0)
  from ${links} l left join ${click_counts} c on c.link_id = l.id where l.id > ${after} and l.id <= ${upTo}
  group by l.id having count(c.at) > 0 or exists (select 1 from ${link_totals} t where t.link_id = l.id)
  on conflict do update set ${forEachFigure((f) => `${f} = excluded.${f}`, ', ')}
  where ${forEachFigure((f) => `link_totals.${f} <> excluded.${f}`, ' or ')}`;

const forEachFigure = (text: (figure: (typeof FIGURES)[number]) => string, separator: string): SQL =>
  sql.raw(FIGURES.map(text).join(separator));

/**
 * Verifies once a day that every link's totals equal the sums of its hours, days and months. One transaction writes
 * both, so a difference is a bug. Administrators see the result and can repair the totals.
 */
export async function verifyTotals(env: Pick<Env, 'DB'>, now: number, maxSteps?: number, budget?: JobBudget): Promise<string> {
  const db = openDb(env.DB);
  const day = startOfDay(now);
  const start: z.infer<typeof progress> = { day, links: 0, drift: [], clicks: { now: 0, before: 0 } };
  const sweep = { name: SWEEP, over: 'links', period: day, start, carry: progress } as const;
  const { worked, finished, carry } = await sweepLinks(
    db,
    sweep,
    async (range, before) => {
      const [counted, ...drifting] = await db.all<StepRow>(selectDrift(range, before.day));
      return {
        day: before.day,
        links: before.links + (counted?.found ?? 0),
        drift: [...before.drift, ...drifting.map(toDrift)].slice(0, DRIFT_MAX),
        clicks: { now: before.clicks.now + (counted?.now ?? 0), before: before.clicks.before + (counted?.before ?? 0) },
      };
    },
    maxSteps,
    budget,
  );
  if (!worked) return 'nothing due';
  if (!finished) return `${carry.links} links so far`;
  const ok = carry.drift.length === 0;
  const { day: _, ...figures } = carry;
  const result = { ok, checked_at: new Date(now).toISOString(), ...figures };
  await saveJobState(db, RESULT, { at: now, ok, detail: JSON.stringify(result) });
  return `${carry.links} links, ${ok ? 'verified' : 'with drift'}`;
}

const toDrift = ({ short_code, figure, expected, found }: StepRow): Drift => ({ short_code, figure, expected, found });

/** The result of the last complete verification, or null before the first and after a release that changed its shape. */
export async function readLastVerification(db: Db): Promise<ClickProof> {
  const detail = await readJobState(db, RESULT);
  return detail === null ? null : (verification.safeParse(JSON.parse(detail)).data ?? null);
}

/**
 * Sets every link's totals to the sums of its hours, days and months where they differ, then verifies the result.
 * Returns the number of links changed. Safe while clicks are being counted.
 */
export async function recomputeTotals(db: Db, now: number): Promise<{ repaired: number; proof: ClickProof }> {
  let repaired = 0;
  let after = 0;
  for (let upTo = await findStepEnd(db, 'links', 0); upTo !== null; upTo = await findStepEnd(db, 'links', after)) {
    const { meta } = await db.run(updateTotals({ after, upTo }));
    repaired += meta.changes;
    after = upTo;
  }
  await resetSweep(db, SWEEP);
  await verifyTotals({ DB: db.$client }, now, Number.MAX_SAFE_INTEGER);
  return { repaired, proof: await readLastVerification(db) };
}

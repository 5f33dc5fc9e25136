import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { ClickProof } from '#contract/admin.ts';
import { openDb, type Db } from '#worker/db/client.ts';
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
const verification = z.object({ ok: z.boolean(), checked_at: z.string(), links: z.number(), drift: z.array(drift) });
const progress = z.object({ links: z.number(), drift: z.array(drift) });

/** The number of links in the range as `found` of the first row, then one row per figure that differs, from one snapshot. */
const selectDrift = ({ after, upTo }: LinkRange): SQL => sql`with compared as (
    select l.code, ${forEachFigure((f) => `coalesce(t.${f}, 0) as found_${f}, coalesce(c.${f}, 0) as sum_${f}`, ', ')}
    from ${links} l left join ${link_totals} t on t.link_id = l.id
    left join (select link_id, ${forEachFigure((f) => `sum(${f}) as ${f}`, ', ')} from ${click_counts}
      where link_id > ${after} and link_id <= ${upTo} group by link_id) c on c.link_id = l.id
    where l.id > ${after} and l.id <= ${upTo})
  select null as short_code, null as figure, 0 as expected, count(*) as found from compared
  ${forEachFigure((f) => `union all select code, '${f}', sum_${f}, found_${f} from compared where sum_${f} <> found_${f}`, ' ')}`;

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
export async function verifyTotals(env: Pick<Env, 'DB'>, now: number, maxSteps?: number): Promise<string> {
  const db = openDb(env.DB);
  const start: z.infer<typeof progress> = { links: 0, drift: [] };
  const sweep = { name: SWEEP, over: 'links', period: startOfDay(now), start, carry: progress } as const;
  const { worked, finished, carry } = await sweepLinks(
    db,
    sweep,
    async (range, before) => {
      const [counted, ...drifting] = await db.all<z.infer<typeof drift>>(selectDrift(range));
      return {
        links: before.links + (counted?.found ?? 0),
        drift: [...before.drift, ...drifting].slice(0, DRIFT_MAX),
      };
    },
    maxSteps,
  );
  if (!worked) return 'nothing due';
  if (!finished) return `${carry.links} links so far`;
  const ok = carry.drift.length === 0;
  const result = { ok, checked_at: new Date(now).toISOString(), ...carry };
  await saveJobState(db, RESULT, { at: now, ok, detail: JSON.stringify(result) });
  return `${carry.links} links, ${ok ? 'verified' : 'with drift'}`;
}

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

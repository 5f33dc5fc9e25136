import * as z from 'zod/mini';
import type { ClickProof } from '#contract/admin.ts';
import { startOfDay } from './periods.ts';
import { endOfStep, restartSweep, sweepLinks } from './sweep-links.ts';

const RESULT = 'click-proof:result';
/** How many drifting links a proof names; it counts them all. */
const DRIFT_MAX = 20;
const FIGURES = ['human', 'bot', 'prefetch', 'visitors'] as const;

const drift = z.object({ short_code: z.string(), figure: z.enum(FIGURES), expected: z.number(), found: z.number() });
const proof = z.object({ ok: z.boolean(), checked_at: z.string(), links: z.number(), drift: z.array(drift) });
const soFar = z.object({ links: z.number(), drift: z.array(drift) });

/** The totals of links (?1, ?2] beside the sums of their roll-ups, as one snapshot; links that agree are only counted. */
const COMPARE = `WITH compared AS (
  SELECT l.code, ${FIGURES.map((f) => `coalesce(t.${f}, 0) AS found_${f}, coalesce(c.${f}, 0) AS sum_${f}`).join(', ')}
  FROM links l LEFT JOIN link_totals t ON t.link_id = l.id
  LEFT JOIN (SELECT link_id, ${FIGURES.map((f) => `sum(${f}) AS ${f}`).join(', ')} FROM click_counts
    WHERE link_id > ?1 AND link_id <= ?2 GROUP BY link_id) c ON c.link_id = l.id
  WHERE l.id > ?1 AND l.id <= ?2)
SELECT NULL AS short_code, NULL AS figure, 0 AS expected, count(*) AS found FROM compared
${FIGURES.map((f) => `UNION ALL SELECT code, '${f}', sum_${f}, found_${f} FROM compared WHERE sum_${f} <> found_${f}`).join('\n')}`;

const REPAIR = `INSERT INTO link_totals (link_id, human, bot, prefetch, visitors, first_at, last_at)
SELECT l.id, ${FIGURES.map((f) => `coalesce(sum(c.${f}), 0)`).join(', ')},
  min(c.at) FILTER (WHERE c.human > 0), max(c.at) FILTER (WHERE c.human > 0)
FROM links l LEFT JOIN click_counts c ON c.link_id = l.id WHERE l.id > ?1 AND l.id <= ?2
GROUP BY l.id HAVING count(c.at) > 0 OR EXISTS (SELECT 1 FROM link_totals t WHERE t.link_id = l.id)
ON CONFLICT DO UPDATE SET ${FIGURES.map((f) => `${f} = excluded.${f}`).join(', ')}
WHERE ${FIGURES.map((f) => `link_totals.${f} <> excluded.${f}`).join(' OR ')}`;

/**
 * Checks, once a day, that every link's totals are the sums of its roll-ups. They are written in one transaction, so that a
 * difference is a fault of ours; it is shown to the administrators, who can repair it.
 */
export async function verifyTotals(env: Pick<Env, 'DB'>, now: number, maxSteps?: number): Promise<string> {
  const start: z.infer<typeof soFar> = { links: 0, drift: [] };
  const sweep = { name: 'prove-clicks', over: 'links', period: startOfDay(now), start, carry: soFar } as const;
  const { worked, finished, carry } = await sweepLinks(
    env.DB,
    sweep,
    async ({ after, upTo }, before) => {
      const { results } = await env.DB.prepare(COMPARE).bind(after, upTo).all<z.infer<typeof drift>>();
      const [counted, ...drifting] = results;
      return {
        links: before.links + (counted?.found ?? 0),
        drift: [...before.drift, ...drifting].slice(0, DRIFT_MAX),
      };
    },
    maxSteps,
  );
  if (!worked) return 'nothing due';
  if (!finished) return `${carry.links} links so far`;
  const result = { ok: carry.drift.length === 0, checked_at: new Date(now).toISOString(), ...carry };
  await env.DB.prepare('INSERT OR REPLACE INTO job_runs (name, started_at, finished_at, ok, detail) VALUES (?1, ?2, ?2, ?3, ?4)')
    .bind(RESULT, now, result.ok ? 1 : 0, JSON.stringify(result))
    .run();
  return `${carry.links} links, ${result.ok ? 'verified' : 'with drift'}`;
}

/** The last finished proof, or null before the first (of this shape: one of an older version is not shown). */
export async function readLastVerification(db: D1Database): Promise<ClickProof> {
  const detail = await db.prepare('SELECT detail FROM job_runs WHERE name = ?1').bind(RESULT).first<string>('detail');
  return detail === null ? null : (proof.safeParse(JSON.parse(detail)).data ?? null);
}

/** Sets every link's totals to the sums of its roll-ups, where they differ, and proves the result. Safe while clicks come in. */
export async function recomputeTotals(db: D1Database, now: number): Promise<{ repaired: number; proof: ClickProof }> {
  let repaired = 0;
  let after = 0;
  for (let upTo = await endOfStep(db, 'links', 0); upTo !== null; upTo = await endOfStep(db, 'links', after)) {
    const { meta } = await db.prepare(REPAIR).bind(after, upTo).run();
    repaired += meta.changes;
    after = upTo;
  }
  await restartSweep(db, 'prove-clicks');
  await verifyTotals({ DB: db }, now, Number.MAX_SAFE_INTEGER);
  return { repaired, proof: await readLastVerification(db) };
}

import * as z from 'zod/mini';

/** Links with `after` < id ≤ `upTo`: what one step of a sweep works on, in one atomic batch. */
export type LinkRange = { after: number; upTo: number };

/** What a sweep is about: its name, the table whose links it goes through, and the period in which it is due once. */
export type Sweep<T> = {
  name: string;
  over: 'links' | 'link_totals';
  /** The first ms of the day or month that `now` lies in: a sweep that has finished waits for the next one. */
  period: number;
  /** What the steps hand on to each other, from its start; it is kept between runs as JSON. */
  start: T;
  carry: z.ZodMiniType<T>;
};

export const LINKS_PER_STEP = 200;
export const STEPS_PER_RUN = 50;

/**
 * Goes through all links in bounded steps, over as many runs as it takes, and begins again in the next period. Where it is
 * stands in `job_runs`: a run that is missed or killed is caught up by the next one. A step may run twice and must bear it.
 * An unfinished sweep is finished first, so that the links at the end get their turn however late the runs are.
 */
export async function sweepLinks<T>(
  db: D1Database,
  sweep: Sweep<T>,
  step: (range: LinkRange, carry: T) => Promise<T>,
  maxSteps = STEPS_PER_RUN,
): Promise<{ worked: boolean; finished: boolean; carry: T }> {
  const known = await readState(db, sweep);
  if (known !== null && known.done && known.period >= sweep.period) return { worked: false, finished: true, carry: known.carry };
  const fresh = { period: sweep.period, after: 0, done: false, carry: sweep.start };
  const state = known === null || known.done ? fresh : known;
  for (let i = 0; i < maxSteps && !state.done; i++) {
    const upTo = await endOfStep(db, sweep.over, state.after);
    if (upTo === null) state.done = true;
    else {
      state.carry = await step({ after: state.after, upTo }, state.carry);
      state.after = upTo;
    }
  }
  await db
    .prepare('INSERT OR REPLACE INTO job_runs (name, started_at, finished_at, ok, detail) VALUES (?1, ?2, ?2, 1, ?3)')
    .bind(stateName(sweep.name), state.period, JSON.stringify(state))
    .run();
  return { worked: true, finished: state.done, carry: state.carry };
}

/** Forgets where a sweep is: the next run starts it from the first link. */
export async function restartSweep(db: D1Database, name: string): Promise<void> {
  await db.prepare('DELETE FROM job_runs WHERE name = ?1').bind(stateName(name)).run();
}

const stateName = (name: string): string => `${name}:sweep`;

async function readState<T>(db: D1Database, sweep: Sweep<T>) {
  const detail = await db
    .prepare('SELECT detail FROM job_runs WHERE name = ?1')
    .bind(stateName(sweep.name))
    .first<string>('detail');
  if (detail === null) return null;
  const state = z.object({ period: z.number(), after: z.number(), done: z.boolean(), carry: sweep.carry });
  // A state that an older version wrote in another shape: the sweep starts again, which any step must bear.
  return state.safeParse(JSON.parse(detail)).data ?? null;
}

/** The last id of the step after `after`; null where there is no more. */
export function endOfStep(db: D1Database, over: 'links' | 'link_totals', after: number): Promise<number | null> {
  const id = over === 'links' ? 'id' : 'link_id';
  return db
    .prepare(`SELECT max(${id}) AS id FROM (SELECT ${id} FROM ${over} WHERE ${id} > ?1 ORDER BY ${id} LIMIT ${LINKS_PER_STEP})`)
    .bind(after)
    .first<number>('id');
}

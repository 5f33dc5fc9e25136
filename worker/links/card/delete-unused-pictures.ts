import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { DAY_MS } from '#contract/time.ts';
import { jsonList } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import { link_cards } from '#worker/db/schema-cards.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { runSteps } from '#worker/job-runtime/run-steps.ts';
import { deletePictures, listPictures } from './picture.ts';

/** Deletes those of these pictures that no card has. Returns how many. */
export async function deleteIfUnused(
  db: Db,
  bucket: Pick<Env, 'BACKUPS'>,
  names: readonly string[],
): Promise<number> {
  const unused = await db.all<{ name: string }>(
    sql`select value as name from ${jsonList(names)} where value not in (select image from ${link_cards})`,
  );
  if (unused.length > 0)
    await deletePictures(
      bucket,
      unused.map(({ name }) => name),
    );
  return unused.length;
}

/** How many pictures one step lists. */
const STEP = 500;

/**
 * Deletes pictures that no card has, once a day. A picture that was uploaded within the last day
 * stays, because the batch that names it may still be on its way.
 */
export async function deleteUnusedPictures(
  env: Pick<Env, 'DB' | 'BACKUPS'>,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const work = {
    name: 'card-pictures',
    period: Math.floor(now / DAY_MS),
    schema: z.object({ after: z.string(), deleted: z.number() }),
    start: () => ({ after: '', deleted: 0 }),
  };
  const { worked, done, state } = await runSteps(
    db,
    work,
    async ({ after, deleted }) => {
      const pictures = await listPictures(env, after, STEP);
      const old = pictures.filter(({ uploaded }) => uploaded < now - DAY_MS);
      const count = await deleteIfUnused(
        db,
        env,
        old.map(({ name }) => name),
      );
      const last = pictures.at(-1)?.name ?? after;
      return {
        state: { after: last, deleted: deleted + count },
        done: pictures.length < STEP,
      };
    },
    budget,
  );
  if (!worked) return {};
  return { done: { pictures_deleted: state.deleted }, left: done ? 0 : 1 };
}

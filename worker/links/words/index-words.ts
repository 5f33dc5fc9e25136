import { and, gt, inArray, isNotNull, lte, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import { sweepLinks, type LinkRange } from '#worker/job-runtime/sweep-links.ts';
import { startOfDay } from '#contract/reports/periods.ts';
import { jsonList, jsonRows, runNamedBatch } from '#worker/db/batch.ts';
import { openDb, type Db } from '#worker/db/client.ts';
import type { JobBudget, JobResult } from '#worker/job-runtime/job-budget.ts';
import { link_words, links } from '#worker/db/schema-links.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { earlierCodesColumn } from '#worker/edge/earlier-codes.ts';
import { textOfWords, wordsOfLink } from './words.ts';

/** How many links one batch indexes: up to 8,000 rows of words. */
const LINKS_PER_BATCH = 200;

/**
 * Updates the stored words of these links, and returns how many it changed. Deleted links and links
 * without an owner have no words, because no list contains them.
 */
export async function indexWords(db: Db, linkIds: readonly number[]): Promise<number> {
  let changed = 0;
  for (let at = 0; at < linkIds.length; at += LINKS_PER_BATCH) {
    const ids = linkIds.slice(at, at + LINKS_PER_BATCH);
    changed += await indexWhere(db, inArray(links.id, jsonList(ids)));
  }
  return changed;
}

/**
 * Runs `indexWords` after the response, in `waitUntil`. Never rejects, because a daily job finds
 * links with missing or outdated words.
 */
export async function indexLater(db: Db, linkIds: readonly number[]): Promise<void> {
  try {
    await indexWords(db, linkIds);
  } catch (error) {
    logEvent('index_failed', { links: linkIds.length, ...errorFacts(error) });
  }
}

/** Checks all links once a day, to index those whose words could not be written. */
export async function indexAllWords(
  env: Pick<Env, 'DB'>,
  now: number,
  budget?: JobBudget,
): Promise<JobResult> {
  const db = openDb(env.DB);
  const sweep = {
    name: 'index-words',
    over: 'links',
    period: startOfDay(now),
    start: 0,
    schema: z.number(),
  } as const;
  const step = async ({ after, upTo }: LinkRange, sum: number) =>
    sum +
    (await indexWhere(db, and(gt(links.id, after), lte(links.id, upTo), isNotNull(links.user_id))));
  const { worked, left, result } = await sweepLinks(db, sweep, step, budget);
  return worked ? { done: { links_indexed: result }, left } : {};
}

/** How many times links are read, because another request can change their words in between. */
const ATTEMPTS = 3;

async function indexWhere(db: Db, where: SQL | undefined): Promise<number> {
  let written = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const changes = await readChanges(db, where);
    if (changes.length === 0) return written;
    // The join skips links that have changed since they were read. The next attempt reads them
    // again.
    const item = sql`${jsonRows(['id', 'userId', 'before', 'words', 'added', 'removed'], changes)} as item
      cross join ${links} as link on link.id = item.id and link.words is item.before and link.user_id is item.userId`;
    const { stored } = await runNamedBatch(db, {
      removed: sql`delete from ${link_words} where (user_id, word, link_id) in
        (select item.userId, word.value, link.id from ${item}, json_each(item.removed) as word)`,
      added: sql`insert or ignore into ${link_words} (user_id, word, link_id)
        select item.userId, word.value, link.id from ${item}, json_each(item.added) as word`,
      stored: sql`update ${links} set words = changed.words
        from (select link.id as id, item.words as words from ${item}) as changed where ${links}.id = changed.id`,
    });
    written += stored.changes;
    if (stored.changes >= changes.length) return written;
  }
  return written;
}

/** Returns the links whose stored words are outdated, with the words to add and to remove. */
async function readChanges(db: Db, where: SQL | undefined) {
  const rows = await db
    .select({
      id: links.id,
      userId: links.user_id,
      code: links.code,
      title: links.title,
      target: links.target,
      targetHost: links.target_host,
      note: links.note,
      status: links.status,
      earlierCodes: earlierCodesColumn,
      before: links.words,
    })
    .from(links)
    .where(where)
    .all();
  return rows.flatMap(({ id, userId, before, ...link }) => {
    const isListed = userId !== null && link.status !== 'deleted';
    const current = isListed ? wordsOfLink(link) : [];
    const words = textOfWords(current);
    if (words === before || (before === null && !isListed)) return [];
    const old = before?.split(' ').slice(1) ?? [];
    const added = current.filter((word) => !old.includes(word));
    const removed = old.filter((word) => !current.includes(word));
    return [{ id, userId, before, words, added, removed }];
  });
}

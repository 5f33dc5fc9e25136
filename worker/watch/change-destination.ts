import { sql, type SQL } from 'drizzle-orm';
import { ARCHIVED_COPY } from '#contract/links/watch.ts';
import { runNamedBatch } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { isActive } from '#worker/db/link-status.ts';
import { link_health } from '#worker/db/schema-health.ts';
import { link_destinations, links } from '#worker/db/schema-links.ts';
import { addToOutbox, isChangedAt } from '#worker/edge/outbox.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { recordChange } from '#worker/links/read/link-history.ts';
import { checkHarm } from '#worker/safety/check-harm.ts';
import type { Reputation } from '#worker/safety/reputation.ts';
import { checkTarget, type Target, type TargetPolicy } from '#worker/safety/target.ts';
import { hostOfAddress } from './find-due.ts';

/** What a change of a destination needs besides the database. */
export type ChangeContext = {
  policy: TargetPolicy;
  reputation: Reputation | null;
  /** Finds the archived copy of an address; null if there is none, or if it was not asked. */
  findCopy: (href: string) => Promise<string | null>;
  now: number;
};

type Row = {
  id: number;
  version: number;
  target: string;
  watch_fallback: string;
  home: string;
  fallback: string;
};

const readRow = async (db: Db, id: number): Promise<Row | undefined> => {
  const [row] =
    await db.all<Row>(sql`select ${links}.id, version, target, watch_fallback, health.home, health.fallback
    from ${links} cross join ${link_health} as health on health.link_id = ${links}.id
    where ${links}.id = ${id} and ${isActive()}`);
  return row;
};

/**
 * Sends a link with a dead destination to its fallback. Returns whether it did. It does so once for
 * each time that the destination dies: if the owner chooses the destination again, that stays. A
 * link that moderation has disabled is not active, so it never gets a fallback.
 */
export async function useFallback(db: Db, id: number, context: ChangeContext): Promise<boolean> {
  const row = await readRow(db, id);
  if (row === undefined || row.watch_fallback === '') return false;
  if (row.fallback !== '' || row.target !== row.home) return false;
  const href =
    row.watch_fallback === ARCHIVED_COPY ? await context.findCopy(row.home) : row.watch_fallback;
  if (href === null) return false;
  const to = await checkDestination(db, href, row.home, context);
  if (to === null) return false;
  const isStill = sql`health.state = 'dead' and health.home = ${row.home} and health.fallback = ''`;
  return changeDestination(db, row, to, { isStill, fallback: to.href }, context.now);
}

/**
 * Sends a link whose destination works again back to it. If the owner has changed the destination
 * meanwhile, theirs stays. Returns whether the link has changed.
 */
export async function leaveFallback(db: Db, id: number, context: ChangeContext): Promise<boolean> {
  const row = await readRow(db, id);
  if (row === undefined || row.fallback === '') return false;
  const isStill = sql`health.state = 'ok' and health.home = ${row.home} and health.fallback = ${row.fallback}`;
  if (row.target !== row.fallback) {
    await db.run(sql`update ${link_health} as health set fallback = '' where link_id = ${id} and ${isStill}
      and exists (select 1 from ${links} where id = ${id} and target <> ${row.fallback})`);
    return false;
  }
  const to = await checkDestination(db, row.home, row.home, context);
  if (to === null) return false;
  return changeDestination(db, row, to, { isStill, fallback: '' }, context.now);
}

/**
 * Checks a new destination, and the original of an archived copy, like those that owners choose.
 */
async function checkDestination(
  db: Db,
  href: string,
  home: string,
  { policy, reputation, now }: ChangeContext,
): Promise<Target | null> {
  const checks = [href, home].map((one) => checkTarget(one, policy));
  const targets = checks.flatMap((check) => (check.ok ? [check.target] : []));
  const [to] = targets;
  if (to === undefined || targets.length < checks.length) return null;
  const harm = await checkHarm(db, targets, reputation, false, now);
  return harm.ok ? to : null;
}

/** Changes the destination like an owner's change, with a record in the history. */
async function changeDestination(
  db: Db,
  row: Row,
  to: Target,
  { isStill, fallback }: { isStill: SQL; fallback: string },
  now: number,
): Promise<boolean> {
  const { id, version } = row;
  const canChange = sql`${links}.id = ${id} and ${links}.version = ${version} and ${isActive()}
    and exists (select 1 from ${link_health} as health where health.link_id = ${id} and ${isStill})`;
  const isChanged = sql`${links}.id = ${id} and ${links}.version = ${version + 1} and ${isChangedAt(now)}`;
  const isDone = sql`exists (select 1 from ${links} where ${isChanged})`;
  const { updated } = await runNamedBatch(db, {
    recorded: recordChange(canChange, null, now, true),
    updated: sql<{ id: number }>`update ${links} set target = ${to.href}, target_host = ${to.host},
      target_changed_at = ${now}, version = version + 1, updated_at = ${now} where ${canChange} returning id`,
    health: sql`update ${link_health} set fallback = ${fallback} where link_id = ${id} and ${isDone}`,
    home: writeHome(row, isDone),
    events: recordLinkEvents('link.updated', isChanged, now, ['url']),
    queued: addToOutbox(db, isChanged, now),
  });
  return updated.rows.length > 0;
}

/**
 * Keeps the owner's destination among those by which moderation finds the link, while the link
 * leads to its fallback.
 */
const writeHome = ({ id, home, fallback: before }: Row, when: SQL): SQL =>
  before === ''
    ? sql`insert or ignore into ${link_destinations} (link_id, host, href)
        select ${id}, ${hostOfAddress(home)}, ${home} where ${when}`
    : sql`delete from ${link_destinations} where link_id = ${id} and href = ${home} and ${when}
        and exists (select 1 from ${links} where ${links}.id = ${id} and ${links}.fallback_url <> ${home}
          and ${links}.watch_fallback <> ${home}
          and instr(${links}.rules || ${links}.variants, json_quote(${home})) = 0)`;

import { sql, type SQL } from 'drizzle-orm';
import { dayNumber } from '#contract/reports/periods.ts';
import { DAY_MS } from '#contract/time.ts';
import type { LinkEvent } from '#contract/webhooks/webhook-events.ts';
import { jsonList, jsonRows, runNamedBatch, type Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { check_hosts, link_check_steps, link_health } from '#worker/db/schema-health.ts';
import { links } from '#worker/db/schema-links.ts';
import { counters } from '#worker/db/schema-system.ts';
import { recordLinkEvents } from '#worker/events/record-link-events.ts';
import { accountCounter } from '#worker/plans/account-counters.ts';
import { checksKey, type DueLink } from './find-due.ts';
import { judge, scheduleCheck, type Health, type CheckOutcome } from './health.ts';
import type { Postponed } from './plan-run.ts';
import type { StepResult } from './take-step.ts';

/** A host gets at most one request in this time, and at most one at a time. */
export const HOST_PAUSE_MS = 10_000;
/** Longer than a request can take, including the lookup of its host. */
const REQUEST_MS = 60_000;

/**
 * Claims the hosts of these links for one request each, and returns the links whose host was free.
 * A link that another run has checked meanwhile claims nothing.
 */
export async function claimHosts(db: Db, due: readonly DueLink[], now: number): Promise<DueLink[]> {
  const rows = jsonRows(['id', 'dueAt', 'host'], due);
  const claimed = await db.all<{ host: string }>(
    sql`insert into ${check_hosts} (host, free_at) select item.host, ${now + REQUEST_MS} from ${rows} as item
      cross join ${links} on ${links}.id = item.id and ${links}.next_check_at = item.dueAt where true
      on conflict (host) do update set free_at = excluded.free_at where free_at <= ${now} returning host`,
  );
  const hosts = new Set(claimed.map(({ host }) => host));
  return due.filter(({ host }) => hosts.has(host));
}

/** Claims one host; false if it is not free. */
export async function claimHost(db: Db, host: string, now: number): Promise<boolean> {
  const claimed = await db.all(
    sql`insert into ${check_hosts} (host, free_at) values (${host}, ${now + REQUEST_MS})
      on conflict (host) do update set free_at = excluded.free_at where free_at <= ${now} returning host`,
  );
  return claimed.length > 0;
}

/** Frees a host for the time after the pause that follows each request. */
export const freeHosts = (
  requests: readonly { host: string; retryAt: number }[],
  now: number,
): SQL => {
  const rows = requests.map(({ host, retryAt }) => ({
    host,
    freeAt: Math.max(now + HOST_PAUSE_MS, retryAt),
  }));
  return sql`update ${check_hosts} set free_at = item.freeAt
    from ${jsonRows(['host', 'freeAt'], rows)} as item where ${check_hosts}.host = item.host`;
};

/** True in SQL for a link that is still as it was read, if `item` has what was read. */
const IS_AS_READ = sql`${links}.id = item.id and ${links}.next_check_at = item.dueAt and ${links}.target = item.target`;

/** What a check has found about a link. `change` is an event that it causes. */
export type Judged = { link: DueLink; health: Health; change: LinkEvent | null };
type Answered = { link: DueLink; result: StepResult };

const changeOf = (before: Health | null, after: Health): LinkEvent | null => {
  if (after.state === 'dead') return before?.state === 'dead' ? null : 'link.unreachable';
  return before?.state === 'dead' ? 'link.recovered' : null;
};

function toJudged(link: DueLink, outcome: CheckOutcome, now: number): Judged {
  const health = judge(link.health, outcome, now);
  return { link, health, change: changeOf(link.health, health) };
}

/**
 * Stores what requests have found at `now`, in one batch: the states of links whose check has
 * ended, their events, and the next requests of the others. A link whose destination changed
 * meanwhile keeps its state. Returns the checks that have ended.
 */
export async function storeResults(
  db: Db,
  answered: readonly Answered[],
  now: number,
): Promise<Judged[]> {
  const judged = answered.flatMap(({ link, result }) =>
    result.outcome === null ? [] : [toJudged(link, result.outcome, now)],
  );
  const steps = answered.flatMap(({ link, result: { next } }) =>
    next === null ? [] : [{ id: link.id, home: link.home, ...next }],
  );
  const states = new Map(judged.map(({ link, health }) => [link.id, health.state]));
  const times = answered.map(({ link: { id, dueAt, target, lastUsedAt }, result }) => {
    const state = states.get(id);
    const next = state === undefined ? now + HOST_PAUSE_MS : scheduleCheck(state, lastUsedAt, now);
    return { id, dueAt, target, until: Math.max(next, result.retryAt) };
  });
  const started = answered.filter(({ link }) => !link.hasBegun).map(({ link }) => link);
  await runNamedBatch(db, {
    health: writeHealth(judged, now),
    events: (['link.unreachable', 'link.recovered'] as const).flatMap((type) =>
      recordEvent(type, judged, now),
    ),
    ended: sql`delete from ${link_check_steps} where link_id in ${jsonList(judged.map(({ link }) => link.id))}`,
    steps: writeSteps(steps),
    times: writeTimes(times),
    hosts: freeHosts(
      answered.map(({ link, result }) => ({ host: link.host, retryAt: result.retryAt })),
      now,
    ),
    counted: started.length === 0 ? [] : countChecks(started, now),
  });
  return judged;
}

function writeHealth(judged: readonly Judged[], now: number): SQL {
  const rows = judged.map(({ link: { id, dueAt, target, home, health: before }, health }) => ({
    ...health,
    id,
    dueAt,
    target,
    home,
    fallback: before?.fallback ?? '',
    mailedAt: health.state === 'dead' ? (before?.mailedAt ?? null) : null,
  }));
  const names = ['id', 'dueAt', 'target', 'home', 'fallback', 'state', 'reason'] as const;
  const others = ['status', 'fails', 'firstFailedAt', 'since', 'mailedAt'] as const;
  return sql`insert or replace into ${link_health} (link_id, home, fallback, state, reason, status, fails,
      first_failed_at, since, checked_at, mailed_at)
    select item.id, item.home, item.fallback, item.state, item.reason, item.status, item.fails,
      item.firstFailedAt, item.since, ${now}, item.mailedAt
    from ${jsonRows([...names, ...others], rows)} as item cross join ${links} on ${IS_AS_READ}`;
}

function recordEvent(type: LinkEvent, judged: readonly Judged[], now: number): Statement[] {
  const ids = judged.flatMap(({ link, change }) => (change === type ? [link.id] : []));
  if (ids.length === 0) return [];
  const isStored = sql`${links}.id in ${jsonList(ids)} and exists (select 1 from ${link_health}
    where link_id = ${links}.id and checked_at = ${now} and since = ${now})`;
  return recordLinkEvents(type, isStored, now);
}

function writeSteps(
  steps: readonly { id: number; home: string; url: string; method: string; hops: number }[],
): SQL | [] {
  if (steps.length === 0) return [];
  const rows = jsonRows(['id', 'home', 'url', 'method', 'hops'], steps);
  return sql`insert or replace into ${link_check_steps} (link_id, home, url, method, hops)
    select item.id, item.home, item.url, item.method, item.hops from ${rows} as item`;
}

/** Sets when links are checked next, unless another run or a change has done so. */
export const writeTimes = (
  times: readonly { id: number; dueAt: number; target: string; until: number }[],
): SQL =>
  sql`update ${links} set next_check_at = item.until
    from ${jsonRows(['id', 'dueAt', 'target', 'until'], times)} as item where ${IS_AS_READ}`;

function countChecks(started: readonly DueLink[], now: number): SQL[] {
  const day = dayNumber(now);
  const expiresAt = (day + 2) * DAY_MS;
  const owners = jsonList(started.map(({ userId }) => userId));
  return [
    sql`insert into ${counters} (key, count, expires_at) values (${checksKey(day)}, ${started.length}, ${expiresAt})
      on conflict (key) do update set count = count + excluded.count`,
    sql`insert into ${counters} (key, count, expires_at)
      select ${accountCounter('link-checks', sql`item.value`, now)}, count(*), ${expiresAt}
      from ${owners} as item where true group by item.value
      on conflict (key) do update set count = count + excluded.count`,
  ];
}

/** Stores when postponed links are looked at again, and why some are not checked. */
export async function storePostponed(
  db: Db,
  postponed: readonly Postponed[],
  now: number,
): Promise<void> {
  if (postponed.length === 0) return;
  const unchecked = postponed.flatMap(({ link, reason }) =>
    reason === null || link.health?.reason === reason
      ? []
      : [toJudged(link, { kind: 'unclear', reason, status: null }, now)],
  );
  await runNamedBatch(db, {
    health: unchecked.length === 0 ? [] : writeHealth(unchecked, now),
    times: writeTimes(postponed.map(({ link, until }) => ({ ...link, until }))),
  });
}

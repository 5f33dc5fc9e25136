import { sql } from 'drizzle-orm';
import { dayNumber } from '#contract/reports/periods.ts';
import { SITE_NAME } from '#contract/site.ts';
import { jsonList } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { links } from '#worker/db/schema-links.ts';
import { counters } from '#worker/db/schema-system.ts';
import { openShards } from '#worker/db/shards.ts';
import { publishLinks } from '#worker/edge/publish.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { originsOf, ownUrl } from '#worker/http/origins.ts';
import { UNBOUNDED, type JobBudget, type JobResult } from '#worker/job-runtime/job-budget.ts';
import { indexLater } from '#worker/links/words/index-words.ts';
import { accountCounter } from '#worker/plans/account-counters.ts';
import { configuredOrigins } from '#worker/redirect/configured-origins.ts';
import { ownDomains } from '#worker/safety/own-domain.ts';
import { createReputation } from '#worker/safety/reputation.ts';
import { shortenerHosts } from '#worker/safety/shorteners.ts';
import { ARCHIVE_HOST, findArchivedCopy } from './archived-copy.ts';
import { leaveFallback, useFallback, type ChangeContext } from './change-destination.ts';
import { countDue, findDueLinks, readChecksOf, readFreeTimes, type DueLink } from './find-due.ts';
import { mailUnreachable } from './mail-unreachable.ts';
import { planRun } from './plan-run.ts';
import {
  claimHost,
  claimHosts,
  freeHosts,
  HOST_PAUSE_MS,
  storePostponed,
  storeResults,
  type Judged,
} from './store-results.ts';
import { takeStep, type CheckNetwork } from './take-step.ts';

/** A Worker has six connections at a time. */
const CONCURRENT_REQUESTS = 6;
/**
 * A request takes up to 13 seconds with the lookup of its host, and up to three of the subrequests of an
 * invocation, of which the platform's free plan allows 50.
 */
const HOSTS_PER_RUN = { paid: 60, free: 6 };
const DUE_PER_RUN = 200;
const DEFAULT_CHECKS_PER_DAY = 1_000;
/** One account may use half of the checks of a day, so that others have some. */
const ACCOUNT_SHARE = 0.5;
/** Beyond this number, the backlog is not counted. */
const COUNTED_MAX = 10_000;

/** Replaces the network and the clock in tests. */
type Options = { fetcher?: FetchFunction; clock?: () => number };

/**
 * The job that checks the destinations of watched links. A check is a chain of requests, of which
 * each run sends at most one to a host, so a check with redirects takes several minutes.
 */
export async function checkLinks(
  env: Env,
  now: number,
  budget: JobBudget = UNBOUNDED,
  { fetcher = fetch, clock = Date.now }: Options = {},
): Promise<JobResult> {
  const db = openShards(env);
  const due = await findDueLinks(db, now, DUE_PER_RUN);
  const tools = { env, db, network: networkOf(env, fetcher, clock) };
  let checked = 0;
  let left = 0;
  if (due.length > 0) {
    const plan = planRun(
      due,
      await readFreeTimes(db, hostsOf(due)),
      await limitsOf(env, db, due, now),
      now,
    );
    await storePostponed(db, plan.postponed, now);
    let at = 0;
    for (; at < plan.requests.length && budget.canContinue(); at += CONCURRENT_REQUESTS)
      checked += await checkGroup(tools, plan.requests.slice(at, at + CONCURRENT_REQUESTS));
    if (at < plan.requests.length || plan.left > 0 || due.length === DUE_PER_RUN)
      left = await countDue(db, now, COUNTED_MAX);
  }
  const mails = await mailUnreachable(env, db, clock(), budget);
  return { done: { destinations_checked: checked, mails_sent: mails }, left };
}

const hostsOf = (due: readonly DueLink[]): string[] => [...new Set(due.map(({ host }) => host))];

function networkOf(env: Env, fetcher: FetchFunction, clock: () => number): CheckNetwork {
  const origins = originsOf(env, ownUrl(env));
  const hosts = [origins.app, origins.short].map((origin) => new URL(origin).hostname);
  return {
    policy: {
      ownHosts: [...hosts, ...configuredOrigins(env).extraHosts],
      shorteners: shortenerHosts(env.BLOCKED_SHORTENERS),
    },
    own: ownDomains(env, origins),
    fetcher,
    userAgent: `${SITE_NAME}-LinkCheck/1 (+${origins.app}/about#checks)`,
    clock,
  };
}

/** How many checks may still begin today, in all and of each account. */
async function limitsOf(env: Env, db: Db, due: readonly DueLink[], now: number) {
  const perDay = Number(env.LINK_CHECKS_PER_DAY) || DEFAULT_CHECKS_PER_DAY;
  const used = await readChecksOf(db, dayNumber(now));
  const rows = await db.all<{ userId: string; count: number }>(
    sql`select item.value as userId, count from ${jsonList([...new Set(due.map(({ userId }) => userId))])} as item
      cross join ${counters} on key = ${accountCounter('link-checks', sql`item.value`, now)}`,
  );
  const usedBy = new Map(rows.map(({ userId, count }) => [userId, count]));
  return {
    hosts: HOSTS_PER_RUN[env.WORKERS_PLAN === 'free' ? 'free' : 'paid'],
    checks: Math.max(0, perDay - used),
    checksOf: (userId: string) =>
      Math.max(0, Math.ceil(perDay * ACCOUNT_SHARE) - (usedBy.get(userId) ?? 0)),
  };
}

type Tools = { env: Env; db: Db; network: CheckNetwork };

/** Sends a request to each of these hosts at the same time. Returns how many it sent. */
async function checkGroup(tools: Tools, due: readonly DueLink[]): Promise<number> {
  const { db, network } = tools;
  const claimed = await claimHosts(db, due, network.clock());
  if (claimed.length === 0) return 0;
  const answered = await Promise.all(
    claimed.map(async (link) => ({ link, result: await takeStep(link.step, network) })),
  );
  const judged = await storeResults(db, answered, network.clock());
  for (const one of judged) await followUp(tools, one);
  return claimed.length;
}

/** Changes the destination of a link if its check says so. */
async function followUp({ env, db, network }: Tools, { link, health }: Judged): Promise<void> {
  const { fetcher, clock, policy } = network;
  const context: ChangeContext = {
    policy,
    reputation: createReputation(env.REPUTATION_DOH_URL, fetcher),
    findCopy: (href) => lookUpCopy(db, link.id, href, network),
    now: clock(),
  };
  const isChanged =
    health.state === 'dead'
      ? await useFallback(db, link.id, context)
      : health.state === 'ok' && (await leaveFallback(db, link.id, context));
  if (!isChanged) return;
  await publishLinks(env, [link.id], context.now);
  await indexLater(db, [link.id]);
}

/**
 * Asks the archive for a copy. If it has been asked within the pause between two requests, the link
 * is checked again after it. Links whose checks are due at the same time would otherwise wait for
 * the first of them each time.
 */
async function lookUpCopy(
  db: Db,
  linkId: number,
  href: string,
  { fetcher, clock }: CheckNetwork,
): Promise<string | null> {
  const now = clock();
  if (!(await claimHost(db, ARCHIVE_HOST, now))) {
    await db.run(sql`update ${links} set next_check_at = ${now + HOST_PAUSE_MS}
      where id = ${linkId} and next_check_at > ${now}`);
    return null;
  }
  const copy = await findArchivedCopy(href, fetcher);
  await db.run(freeHosts([{ host: ARCHIVE_HOST, retryAt: 0 }], clock()));
  return copy;
}

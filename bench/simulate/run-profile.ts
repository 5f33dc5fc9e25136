import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { consumeBatch } from '#worker/clicks/queue/consume-batch.ts';
import { openDb } from '#worker/db/client.ts';
import { readAccountTotals } from '#worker/links/list/account-totals.ts';
import { publishLater } from '#worker/events/publish-later.ts';
import { parseLinkDraft } from '#worker/links/write/link-draft.ts';
import { shortenMany } from '#worker/links/write/shorten-many.ts';
import { cryptoRandom } from '#worker/edge/codes.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { queueOperations } from '#scripts/generate/prices.ts';
import { assertJobsWork, measureIdleCron, runCronOfDay, usageOfIdleDay } from './cron.ts';
import type { LocalStorage } from './meter.ts';
import {
  addUsages,
  FIXED,
  meterStorage,
  totalOf,
  type Meter,
  type Usage,
  type Usages,
} from './meter.ts';
import { BOT, makeTraffic, type Profile } from './traffic.ts';

/**
 * The start is in the future, because a job that ran before it was due would be recorded as
 * finished before it began.
 */
const START = Date.UTC(2027, 0, 1);
/**
 * Idle cron is measured over this many days, because some jobs run once a week and others twice a
 * month.
 */
const IDLE_DAYS = 31;
const OWNER = 'simulated';
const LINKS_PER_REQUEST = 100;

/** `batch` is the largest number of messages that the queue delivers at once. */
export type Extent = { months: number; batch: number };

export type Result = {
  clicks: number;
  messages: number;
  queueOperations: number;
  kvReadShare: number;
  logSampleRate: number;
  links: number;
  /** The number of pairs of a link and a day on which it has clicks. */
  linkDays: number;
  /**
   * The usage of new links, folds and each job. The usage of jobs on an empty database is excluded.
   */
  usages: Usages;
  /**
   * The daily usage that does not depend on clicks: cron on an empty database, and the tables of a
   * day.
   */
  ofDay: Usage;
  bytes: { empty: number; withLinks: number; byMonth: number[] };
};

/**
 * Simulates months of a profile on an empty, migrated database, through the queue's consumer and
 * the jobs.
 */
export async function runProfile(
  storage: LocalStorage,
  profile: Profile,
  { months, batch }: Extent,
): Promise<Result> {
  const end = Date.UTC(2027, months, 1);
  const meter = meterStorage(storage);
  const { env } = meter;
  const linksFrom = START - DAY_MS;
  const idle = await measureIdleCron(meter, linksFrom, IDLE_DAYS);
  await assertJobsWork(meter);
  const empty = meter.bytes();
  const usages: Usages = {};
  const ids = await makeLinks(meter, profile.links, linksFrom + DAY_MS / 2, usages);
  const withLinks = meter.bytes();

  const traffic = makeTraffic(profile, ids, Number(env.CLICK_WINDOW_MS));
  const counts = { clicks: 0, messages: 0, queueOperations: 0, linkDays: 0, humans: 0 };
  const byMonth: number[] = [];
  const days = (end - START) / DAY_MS;
  for (let day = 0; day < days; day++) {
    const dayStart = START + day * DAY_MS;
    addUsages(usages, await runCronOfDay(meter, dayStart, day, idle));
    const windows = traffic.windowsOf(day, dayStart);
    for (let from = 0; from < windows.length; from += batch)
      addUsages(usages, await consume(meter, windows.slice(from, from + batch)));
    const clicks = windows.flatMap((window) => window.e);
    counts.messages += windows.length;
    counts.queueOperations += windows.reduce(
      (sum, window) => sum + queueOperations(JSON.stringify(window).length),
      0,
    );
    counts.clicks += clicks.length;
    counts.humans += clicks.filter((click) => click.ua !== BOT).length;
    counts.linkDays += new Set(clicks.map((click) => click.l)).size;
    if (new Date(dayStart + DAY_MS).getUTCDate() === 1) byMonth.push(meter.bytes());
  }
  addUsages(usages, await runCronOfDay(meter, end, days, idle));
  await assertJobsWork(meter);
  await assertCounted(meter, counts.humans, end + DAY_MS);
  const ofDay = usageOfIdleDay(idle);
  addUsages(ofDay, { [FIXED]: usages[FIXED] ?? totalOf({}) }, 1 / days);
  delete usages[FIXED];
  return {
    ...counts,
    logSampleRate: Number(env.LOG_SAMPLE_RATE),
    kvReadShare: traffic.kvReadShare(Number(env.LINK_MEMORY_MS)),
    links: ids.length,
    usages,
    ofDay: totalOf(ofDay),
    bytes: { empty, withLinks, byMonth },
  };
}

/** Delivers a batch to the queue's consumer. Throws if it does not acknowledge every message. */
async function consume(meter: Meter, windows: readonly ClickWindow[]): Promise<Usages> {
  let acknowledged = 0;
  const timestamp = new Date(windows[0]?.e[0]?.t ?? 0);
  const messages = windows.map((body) => ({
    id: body.id,
    timestamp,
    body,
    attempts: 1,
    ack: () => void acknowledged++,
    retry: () => undefined,
  }));
  const batch = {
    queue: 'clicks',
    messages,
    ackAll: () => undefined,
    retryAll: () => undefined,
    metadata: METADATA,
  };
  const usage = await meter.measure('fold', () =>
    consumeBatch(batch, meter.env, timestamp.getTime() + MINUTE_MS),
  );
  if (acknowledged < windows.length)
    throw new Error(`Only ${acknowledged} of ${windows.length} messages were acknowledged.`);
  return usage;
}

const METADATA = {
  metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: new Date(START) },
};

async function makeLinks(
  meter: Meter,
  count: number,
  now: number,
  usages: Usages,
): Promise<number[]> {
  const db = openDb(meter.env.DB);
  await db.$client.batch([
    db.$client
      .prepare(`INSERT INTO users (id, created_at, last_seen_at) VALUES (?1, ?2, ?2)`)
      .bind(OWNER, now),
    db.$client
      .prepare(
        `INSERT INTO subscriptions (user_id, plan, monthly_limit, cycle_anchor, billing_cycle_start, updated_at)
         VALUES (?1, 'premium', 1000000000, ?2, ?2, ?2)`,
      )
      .bind(OWNER, now),
  ]);
  const ids: number[] = [];
  const used = await meter.measure('new links', async () => {
    for (let from = 0; from < count; from += LINKS_PER_REQUEST) {
      const urls = Array.from(
        { length: Math.min(LINKS_PER_REQUEST, count - from) },
        (_, i) => `https://example.com/${from + i}`,
      );
      const context = {
        isMember: true,
        policy: { ownHosts: [], shorteners: new Set<string>() },
        now,
      };
      const drafts = urls.map((target, item) =>
        Object.assign(parseLinkDraft({ target }, context), { item }),
      );
      const options = {
        creator: { userId: OWNER },
        failure: 'list',
        reputation: null,
        now,
        random: cryptoRandom,
      } as const;
      const made = await shortenMany(db, drafts, options);
      if (!made.ok) throw new Error(made.reason);
      ids.push(...made.ids);
      await publishLater(meter.env, made.ids, now);
    }
  });
  addUsages(usages, used);
  return ids.toSorted((a, b) => a - b);
}

/** Throws unless the figures above the list of links count every human click once. */
async function assertCounted({ env }: Meter, humans: number, now: number): Promise<void> {
  const counting: Promise<unknown>[] = [];
  const read = () =>
    readAccountTotals(openDb(env.DB), OWNER, now, (work) => void counting.push(work));
  // A large account gets the figures of its last request, which then schedules a new count.
  await read();
  await Promise.all(counting);
  const { clicks } = await read();
  if (clicks !== humans)
    throw new Error(`${humans} clicks by people were sent, ${clicks} were counted.`);
}

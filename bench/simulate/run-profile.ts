import { DAY_MS, MINUTE_MS } from '#contract/time.ts';
import { consumeBatch } from '#worker/clicks/consume-batch.ts';
import { openDb } from '#worker/db/client.ts';
import { readBacklogs } from '#worker/db/job-backlog.ts';
import { runDueJobs } from '#worker/jobs/schedule.ts';
import { readAccountTotals } from '#worker/links/account-totals.ts';
import { publishLater } from '#worker/links/publish-later.ts';
import { parseLinkDraft } from '#worker/links/link-draft.ts';
import { shortenMany } from '#worker/links/shorten-many.ts';
import { cryptoRandom } from '#worker/links/codes.ts';
import type { ClickWindow } from '#worker/redirect/click-event.ts';
import { queueOperations } from '#scripts/prices.ts';
import type { LocalStorage } from './local-storage.ts';
import { addUsage, meterStorage, NO_USAGE, type Meter, type Usage } from './meter.ts';
import { BOT, makeTraffic, type Profile } from './traffic.ts';

/** In the future, because a job that ran before it was due would be recorded as finished before it began. */
const START = Date.UTC(2027, 0, 1);
/**
 * Cron is simulated five minutes after every third midnight, and every minute from then on while a job has a backlog. Jobs catch
 * up, so they write the same rows as if they ran every minute; what a run costs by itself is `idleCron`.
 */
const CRON_EVERY_DAYS = 3;
const CRON_MINUTE = 5;
const CRON_RUNS_MAX = 5;
const IDLE_DAYS = 3;
/** Links are made so many days before the first click, and the jobs that follow from them are done the day after. */
const LINKS_BEFORE_DAYS = 6;
const OWNER = 'simulated';
const LINKS_PER_REQUEST = 100;
/** max_batch_size in wrangler.toml. */
const MESSAGES_PER_BATCH = 100;

/** What a profile used, for the clicks of the simulation. */
export type Result = {
  clicks: number;
  messages: number;
  queueOperations: number;
  kvReadShare: number;
  links: number;
  /** Link-days with clicks. */
  linkDays: number;
  newLinks: Usage;
  fold: Usage;
  /** Without `idleCron`. */
  jobs: Usage;
  /** Of one cron invocation on a database without clicks. */
  idleCron: Usage;
  bytes: { empty: number; withLinks: number; byMonth: number[] };
};

/** Simulates `months` months of a profile on an empty, migrated database, through the queue's consumer and the jobs. */
export async function runProfile(storage: LocalStorage, profile: Profile, months: number): Promise<Result> {
  const end = Date.UTC(2027, months, 1);
  const meter = meterStorage(storage);
  const { env } = meter;
  await env.DB.prepare('SELECT 1').all();
  const empty = meter.bytes();
  const { ids, usage: made } = await makeLinks(meter, profile.links);
  const newLinks = addUsage(made, await runNewLinkJobs(meter));
  await env.DB.prepare('SELECT 1').all();
  const withLinks = meter.bytes();
  const idleCron = await measureIdleCron(meter);

  const traffic = makeTraffic(profile, ids, Number(env.CLICK_WINDOW_MS));
  const result: Result = {
    clicks: 0,
    messages: 0,
    queueOperations: 0,
    kvReadShare: traffic.kvReadShare(Number(env.LINK_MEMORY_MS)),
    links: ids.length,
    linkDays: 0,
    newLinks,
    fold: NO_USAGE,
    jobs: NO_USAGE,
    idleCron,
    bytes: { empty, withLinks, byMonth: [] },
  };
  let humans = 0;
  for (let day = 0; START + day * DAY_MS < end; day++) {
    const dayStart = START + day * DAY_MS;
    const windows = traffic.windowsOf(day, dayStart);
    for (let from = 0; from < windows.length; from += MESSAGES_PER_BATCH) {
      const batch = windows.slice(from, from + MESSAGES_PER_BATCH);
      result.fold = addUsage(result.fold, await consume(meter, batch));
    }
    result.messages += windows.length;
    result.queueOperations += windows.reduce((sum, window) => sum + queueOperations(JSON.stringify(window).length), 0);
    result.clicks += windows.reduce((sum, window) => sum + window.e.length, 0);
    humans += windows.flatMap((window) => window.e).filter((click) => click.ua !== BOT).length;
    result.linkDays += new Set(windows.flatMap((window) => window.e.map((click) => click.l))).size;
    if (day % CRON_EVERY_DAYS === 0)
      result.jobs = addUsage(result.jobs, await runJobs(meter, dayStart + DAY_MS + CRON_MINUTE * MINUTE_MS, idleCron));
    if (new Date(dayStart + DAY_MS).getUTCDate() === 1) result.bytes.byMonth.push(meter.bytes());
  }
  await assertCounted(meter, humans, end);
  return result;
}

/** Runs the jobs at `from`, and again while one has a backlog. Returns what they used beyond an idle run. */
async function runJobs(meter: Meter, from: number, idleCron: Usage): Promise<Usage> {
  let usage = NO_USAGE;
  for (let run = 0; run < CRON_RUNS_MAX; run++) {
    const used = await meter.measure(() => runDueJobs(meter.env, from + run * MINUTE_MS));
    usage = addUsage(addUsage(usage, used), idleCron, -1);
    if ((await readBacklogs(openDb(meter.env.DB))).length === 0) break;
  }
  return usage;
}

/** Delivers a batch to the queue's consumer. Throws if it does not acknowledge every message. */
async function consume(meter: Meter, windows: readonly ClickWindow[]): Promise<Usage> {
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
  const batch = { queue: 'clicks', messages, ackAll: () => undefined, retryAll: () => undefined, metadata: METADATA };
  const usage = await meter.measure(() => consumeBatch(batch, meter.env, timestamp.getTime() + MINUTE_MS));
  if (acknowledged < windows.length) throw new Error(`Only ${acknowledged} of ${windows.length} messages were acknowledged.`);
  return usage;
}

const METADATA = { metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: new Date(START) } };

async function makeLinks(meter: Meter, count: number): Promise<{ ids: number[]; usage: Usage }> {
  const db = openDb(meter.env.DB);
  const now = START - LINKS_BEFORE_DAYS * DAY_MS;
  await db.$client.batch([
    db.$client.prepare(`INSERT INTO users (id, created_at, last_seen_at) VALUES (?1, ?2, ?2)`).bind(OWNER, now),
    db.$client
      .prepare(
        `INSERT INTO subscriptions (user_id, plan, monthly_limit, cycle_anchor, billing_cycle_start, updated_at)
         VALUES (?1, 'premium', 1000000000, ?2, ?2, ?2)`,
      )
      .bind(OWNER, now),
  ]);
  const ids: number[] = [];
  const usage = await meter.measure(async () => {
    for (let from = 0; from < count; from += LINKS_PER_REQUEST) {
      const urls = Array.from({ length: Math.min(LINKS_PER_REQUEST, count - from) }, (_, i) => `https://example.com/${from + i}`);
      const context = { isMember: true, policy: { ownHosts: [], shorteners: new Set<string>() }, now };
      const drafts = urls.map((longUrl, item) => Object.assign(parseLinkDraft({ longUrl }, context), { item }));
      const options = { creator: { userId: OWNER }, failure: 'list', reputation: null, now, random: cryptoRandom } as const;
      const made = await shortenMany(db, drafts, options);
      if (!made.ok) throw new Error(made.message);
      ids.push(...made.ids);
      await publishLater(meter.env, made.ids, now);
    }
  });
  return { ids: ids.toSorted((a, b) => a - b), usage };
}

/** Runs the jobs that new links cause: their words and their second publication. */
const runNewLinkJobs = (meter: Meter): Promise<Usage> =>
  meter.measure(async () => {
    for (let run = 0; run < CRON_RUNS_MAX; run++)
      await runDueJobs(meter.env, START - (LINKS_BEFORE_DAYS - 1) * DAY_MS + run * MINUTE_MS);
  });

/** The usage of an average cron invocation without clicks, before the first day. */
async function measureIdleCron(meter: Meter): Promise<Usage> {
  let sum = NO_USAGE;
  for (let day = -IDLE_DAYS; day < 0; day++)
    sum = addUsage(sum, await meter.measure(() => runDueJobs(meter.env, START + day * DAY_MS + CRON_MINUTE * MINUTE_MS)));
  return addUsage(NO_USAGE, sum, 1 / IDLE_DAYS);
}

/** Throws unless the figures above the list of links have every human click once. */
async function assertCounted({ env }: Meter, humans: number, now: number): Promise<void> {
  const counting: Promise<unknown>[] = [];
  const read = () => readAccountTotals(openDb(env.DB), OWNER, now, (work) => void counting.push(work));
  // A large account gets the figures of its last request, which are then counted again.
  await read();
  await Promise.all(counting);
  const { clicks } = await read();
  if (clicks !== humans) throw new Error(`${humans} clicks by people were sent, ${clicks} were counted.`);
}

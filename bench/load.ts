import { dayNumber } from '#contract/reports/periods.ts';
import { windowsTable } from '#worker/clicks/fold/tables.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '#scripts/shared/arguments.ts';
import { signInDemoAdmin } from '#scripts/demo/sign-ins.ts';
import { withProduct } from '#scripts/local/product.ts';
import { Tally, kindOf, redirectOf, sendMixed, type Kind } from './mix.ts';
import { median } from './redirect/median.ts';
import { rowsOf, sender, workerdMemory, type Send } from './server.ts';

const { values } = readArguments({
  usage: 'npm run bench -- load [options]',
  about: `Loads the product as \`npm start\` serves it, and compares its counts with what was sent. Fails if
a count is wrong, a created link is missing, memory grew or a request failed.`,
  options: {
    clicks: { type: 'string', value: 'N', default: '20000', meaning: 'redirects' },
    seconds: { type: 'string', value: 'N', default: '60', meaning: 'length of the mixed load' },
    short: { type: 'boolean', default: false, meaning: '300 redirects and a second of load' },
  },
});
const CONNECTIONS = 32;
const LINKS = values.short ? 100 : 1_000;
const CLICKS = values.short ? 300 : Number(values.clicks);
const SECONDS = values.short ? 1 : Number(values.seconds);
/** The counts must be complete this long after the last click. */
const SETTLE_MS = 15_000;
const LOOK_AGAIN_MS = 500;
const KINDS: readonly Kind[] = ['human', 'bot', 'prefetch'];

const failures: string[] = [];
const check = (holds: boolean, what: string): void => {
  console.log(`  ${holds ? 'ok   ' : 'FAIL '} ${what}`);
  if (!holds) failures.push(what);
};

await withProduct(async (origin, state, pid) => {
  const { send, reopened, close } = sender(origin, CONNECTIONS);
  const { access_token: token, user } = await signInDemoAdmin(origin);
  const codes = await makeLinks(send, token, user.id);
  await redirects(send, state, pid, codes);
  await everything(send, state, pid, codes, token);
  close();
  console.log(
    `${reopened()} requests were sent again because the server had closed their connection.`,
  );
});
console.log(failures.length === 0 ? 'All checks passed.' : `${failures.length} checks failed.`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Waits until all clicks are counted or SETTLE_MS have passed. */
async function settle(state: string, codes: readonly string[], tally: Tally): Promise<void> {
  const end = Date.now() + SETTLE_MS;
  const isCounted = (): boolean => {
    const stored = totals(state, codes);
    return KINDS.every((kind) => countedOf(stored, kind) >= tally.sum(kind));
  };
  while (Date.now() < end && !isCounted()) await sleep(LOOK_AGAIN_MS);
}

function countedOf(stored: ReturnType<typeof totals>, kind: Kind): number {
  return [...stored.values()].reduce((sum, counts) => sum + counts[kind], 0);
}

/** Runs `job` for 0, 1, 2, … on all connections while `more` returns true. */
async function onAll(
  job: (n: number) => Promise<void>,
  more: (n: number) => boolean,
): Promise<void> {
  let next = 0;
  const line = async (): Promise<void> => {
    while (more(next)) await job(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, line));
}

/** Counts the windows of today. A run that crosses midnight counts too few. */
function countWindows(state: string): number {
  const table = windowsTable(dayNumber(Date.now()));
  const exists =
    count(state, `SELECT count(*) AS n FROM sqlite_master WHERE name = '${table}'`) === 1;
  return exists ? count(state, `SELECT count(*) AS n FROM ${table}`) : 0;
}

async function redirects(
  send: Send,
  state: string,
  pid: number,
  codes: readonly string[],
): Promise<void> {
  console.log(`A. ${CLICKS} redirects of ${LINKS} links over ${CONNECTIONS} connections`);
  const windows = countWindows(state);
  const tally = new Tally();
  const memory: number[] = [];
  const sampler = setInterval(() => memory.push(Math.round(workerdMemory(pid))), 2_000);
  const began = performance.now();
  await onAll(
    async (n) => {
      const code = codes[(n * 7919) % codes.length] ?? '';
      const sentAt = performance.now();
      const answer = await send(`/${code}`, redirectOf(n));
      tally.recordRedirect(code, kindOf(n), answer, performance.now() - sentAt);
    },
    (n) => n < CLICKS,
  );
  const took = performance.now() - began;
  clearInterval(sampler);
  console.log(
    `  ${Math.round((CLICKS / took) * 1000)} redirects/s, p50 ${tally.latency(0.5)} ms, p99 ${tally.latency(0.99)} ms`,
  );
  console.log(`  memory of workerd, every 2 s: ${memory.join(' ')} MiB`);
  check(tally.failed.size === 0, `every response is a 302${tally.failures()}`);
  await settle(state, codes, tally);
  compare(state, codes, tally);
  const perClick = (countWindows(state) - windows) / CLICKS;
  // A short run has too few clicks to fill a window.
  if (!values.short)
    check(perClick <= 0.05, `queue messages per click: ${perClick.toFixed(4)} (at most 0.05)`);
}

async function everything(
  send: Send,
  state: string,
  pid: number,
  codes: readonly string[],
  token: string,
): Promise<void> {
  console.log(
    `B. ${SECONDS} s of redirects, misses, shortens, reports and malformed requests over ${CONNECTIONS} connections`,
  );
  const before = totals(state, codes);
  const tally = new Tally(before);
  const made = new Map<string, string>();
  const memory: number[] = [];
  const sampler = setInterval(() => memory.push(workerdMemory(pid)), 1_000);
  const end = Date.now() + SECONDS * 1_000;
  let sent = 0;
  await onAll(
    async (n) => {
      sent++;
      await sendMixed(send, n, { codes, token, tally, made });
    },
    () => Date.now() < end,
  );
  clearInterval(sampler);
  console.log(`  ${sent} requests (${Math.round(sent / SECONDS)}/s): ${tally.summary()}`);
  check(
    tally.failed.size === 0,
    `no 5xx but 503 with Retry-After, no failed connection, no unexpected response${tally.failures()}`,
  );
  await settle(state, codes, tally);
  compare(state, codes, tally);
  await checkCreated(send, made);
  if (!values.short) checkMemory(memory);
}

/** Checks that every created link redirects to its target. HEAD requests are not counted. */
async function checkCreated(send: Send, made: ReadonlyMap<string, string>): Promise<void> {
  const all = [...made];
  let gone = 0;
  await onAll(
    async (n) => {
      const [code = '', target] = all[n] ?? [];
      const answer = await send(`/${code}`, {
        method: 'HEAD',
        headers: { 'CF-Connecting-IP': '203.0.113.77' },
      });
      if (answer.status !== 302 || answer.headers.location !== target) gone++;
    },
    (n) => n < all.length,
  );
  check(made.size > 0 && gone === 0, `all ${made.size} created links redirect (${gone} do not)`);
}

/** Checks that memory has stopped growing after the second third. */
function checkMemory(memory: readonly number[]): void {
  const third = Math.floor(memory.length / 3);
  const [first, middle, last] = [
    memory.slice(0, third),
    memory.slice(third, 2 * third),
    memory.slice(2 * third),
  ].map(median);
  const all = `${[first, middle, last].map((mib) => Math.round(mib ?? 0)).join(', ')} MiB, maximum ${Math.round(Math.max(...memory))}`;
  check(
    (last ?? 0) <= (middle ?? 0) * 1.15 + 16,
    `memory of workerd, medians of the thirds: ${all}`,
  );
}

function compare(state: string, codes: readonly string[], tally: Tally): void {
  const stored = totals(state, codes);
  for (const kind of KINDS) {
    const counted = countedOf(stored, kind);
    check(counted === tally.sum(kind), `${kind}: ${counted} counted, ${tally.sum(kind)} sent`);
  }
  const off = codes.filter((code) =>
    KINDS.some((kind) => (stored.get(code)?.[kind] ?? 0) !== tally.of(code)[kind]),
  );
  check(
    off.length === 0,
    `every link has the right counts (${off.length} of ${codes.length} have not)`,
  );
}

function totals(state: string, codes: readonly string[]): Map<string, Record<Kind, number>> {
  const rows = rowsOf(
    state,
    `SELECT l.code, t.human, t.bot, t.prefetch FROM link_totals t JOIN links l ON l.id = t.link_id
     WHERE l.code IN (SELECT value FROM json_each(?))`,
    JSON.stringify(codes),
  );
  return new Map(
    rows.map((row) => [
      String(row['code']),
      { human: Number(row['human']), bot: Number(row['bot']), prefetch: Number(row['prefetch']) },
    ]),
  );
}

function count(state: string, sql: string): number {
  return Number(rowsOf(state, sql)[0]?.['n']);
}

/**
 * Creates the links of the Premium account, 100 per request. They are a whole month's quota, so
 * usage is reset first.
 */
async function makeLinks(send: Send, token: string, userId: string): Promise<string[]> {
  const codes: string[] = [];
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  const reset = JSON.stringify({ action: 'reset_usage', user_id: userId });
  const answered = await send('/api/admin', { method: 'POST', headers, body: reset });
  if (answered.status !== 200)
    throw new Error(`Resetting the usage: ${answered.status} ${answered.body}`);
  for (let from = 0; from < LINKS; from += 100) {
    const longUrls = Array.from(
      { length: 100 },
      (_, at) => `https://load.example.com/page/${from + at}`,
    );
    const answer = await send('/api/shorten/bulk', {
      method: 'POST',
      headers,
      body: JSON.stringify({ longUrls }),
    });
    if (answer.status !== 201) throw new Error(`Creating links: ${answer.status} ${answer.body}`);
    const lines: { ok: boolean; code: string }[] = JSON.parse(answer.body).lines;
    codes.push(...lines.filter(({ ok }) => ok).map(({ code }) => code));
  }
  if (codes.length !== LINKS)
    throw new Error(`Only ${codes.length} of ${LINKS} links were created.`);
  return codes;
}

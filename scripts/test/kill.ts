import type { ChildProcess } from 'node:child_process';
import { readArguments } from '#scripts/shared/arguments.ts';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureWebBuilt } from '#scripts/build/build-web.ts';
import { localVars } from '#scripts/local/dev-vars.ts';
import { prepareDatabase } from '#scripts/local/prepare-database.ts';
import { withLocalDatabase } from '#scripts/shared/local-database.ts';
import { freePort } from '#scripts/local/product.ts';
import { startWrangler, untilReady } from '#scripts/local/serve.ts';

const CONNECTIONS = 8;
/** One of five requests creates a link. */
const CREATE_EVERY = 5;
/**
 * The server is killed after this many acknowledged requests of a round, when the first clicks of
 * the round are counted.
 */
const ACKNOWLEDGED_PER_ROUND = 150;
const LOADED_WITHIN_MS = 240_000;
/** How often a request is repeated while the server is too busy to answer. */
const ATTEMPTS = 20;

/**
 * What the clients know about a link. `opened` counts its requests, `redirected` those that got a
 * redirect.
 */
type Known = { target: string; opened: number; redirected: number };

/**
 * `inFlight` counts the clicks that were answered but not yet counted when the server was killed.
 * They are lost.
 */
type KillResult = {
  rounds: number;
  links: number;
  clicks: number;
  counted: number;
  inFlight: number;
  faults: string[];
};

/**
 * Kills the local server under load with SIGKILL, `rounds` times, and restarts it on the same
 * state. Every acknowledged link must then redirect to its target, and no click may count twice.
 * Clicks in flight are lost, because the local queue is in memory; a deployment's queue is durable.
 */
async function killUnderLoad(rounds: number): Promise<KillResult> {
  const state = mkdtempSync(join(tmpdir(), 'hop-kill-'));
  const vars = join(state, 'vars.env');
  writeFileSync(vars, localVars('a-secret-for-a-server-that-is-killed'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const known = new Map<string, Known>();
  const faults: string[] = [];
  await ensureWebBuilt();
  await prepareDatabase(state);
  let server = await start(port, state, vars);
  try {
    for (let round = 0; round < rounds; round++) {
      const countedBefore = sum([...clicksIn(state).values()]);
      const load = startLoad(origin, known);
      const isCounted = () => sum([...clicksIn(state).values()]) > countedBefore;
      if (!(await load.until(ACKNOWLEDGED_PER_ROUND, isCounted)))
        faults.push(`round ${round + 1}: no click was counted.`);
      await kill(server);
      faults.push(...(await load.end()));
      server = await start(port, state, vars);
      faults.push(
        ...(await findLost(origin, known)).map((fault) => `round ${round + 1}: ${fault}`),
      );
    }
    const counts = clicksIn(state);
    for (const [one, { opened }] of known) {
      const counted = counts.get(one) ?? 0;
      if (counted > opened)
        faults.push(`${one} was opened ${opened} times and counted ${counted} times.`);
    }
    const clicks = sum([...known.values()].map(({ redirected }) => redirected));
    const counted = sum([...counts.values()]);
    return {
      rounds,
      links: known.size,
      clicks,
      counted,
      inFlight: Math.max(0, clicks - counted),
      faults,
    };
  } finally {
    await kill(server);
    rmSync(state, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function start(port: number, state: string, vars: string): Promise<ChildProcess> {
  const server = startWrangler(
    port,
    state,
    ['--env-file', vars, '--log-level', 'error', '--var', 'CLICK_WINDOW_MS:10'],
    {
      isGroup: true,
    },
  );
  if (!(await untilReady(`http://127.0.0.1:${port}`, server)))
    throw new Error('The server did not start.');
  return server;
}

/** Kills wrangler and the runtime at once, so that neither can finish or write anything. */
async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  if (server.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
  await ended;
}

/**
 * Creates and opens links over several connections until `end`. Failures are expected, because the
 * server is killed.
 */
function startLoad(origin: string, known: Map<string, Known>) {
  const load = { isOver: false };
  let acknowledged = 0;
  const faults: string[] = [];
  const client = async (): Promise<void> => {
    for (let n = 0; !load.isOver; n++) {
      try {
        const codes = [...known.keys()];
        const code = codes[Math.floor(Math.random() * codes.length)];
        if (code === undefined || n % CREATE_EVERY === 0) await create(origin, known);
        else if (!(await open(origin, code, known)))
          faults.push(`${code} did not redirect under load.`);
        acknowledged++;
      } catch {
        // The connection ended with the server, or the machine is busy.
        await sleep(5);
      }
    }
  };
  const clients = Array.from({ length: CONNECTIONS }, client);
  return {
    /**
     * Waits for `requests` acknowledged requests and until the first clicks of the round are
     * counted.
     */
    until: (requests: number, hasCounted: () => boolean) =>
      until(() => acknowledged >= requests && hasCounted(), LOADED_WITHIN_MS),
    end: async (): Promise<string[]> => {
      load.isOver = true;
      await Promise.all(clients);
      return faults;
    },
  };
}

let networks = 0;
/** Each visitor has a separate network, so that no rate limit ends the load. */
const nextAddress = (): string =>
  `198.${18 + ((networks >> 16) & 1)}.${(networks >> 8) & 255}.${networks++ & 255}`;

async function create(origin: string, known: Map<string, Known>): Promise<void> {
  const target = `https://example.com/${crypto.randomUUID()}`;
  const response = await fetch(`${origin}/api/shorten`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': nextAddress() },
    body: JSON.stringify({ longUrl: target }),
  });
  const answer: unknown = await response.json();
  if (
    response.status !== 201 ||
    typeof answer !== 'object' ||
    answer === null ||
    !('code' in answer)
  )
    throw new Error(`A link was answered with ${response.status}.`);
  known.set(String(answer.code), { target, opened: 0, redirected: 0 });
}

/**
 * Opens a link. Returns false if the response is not its redirect; throws on 503 and without a
 * response.
 */
async function open(
  origin: string,
  code: string,
  known: Map<string, Known>,
  method = 'GET',
): Promise<boolean> {
  const link = known.get(code);
  if (link === undefined) return false;
  if (method === 'GET') link.opened++;
  const headers = {
    'CF-Connecting-IP': nextAddress(),
    'User-Agent': 'Mozilla/5.0 (X11; Linux x64) Chrome/140.0.0.0',
  };
  const response = await fetch(`${origin}/${code}`, { method, headers, redirect: 'manual' });
  await response.arrayBuffer();
  if (response.status === 503) throw new Error('The storages did not answer in time.');
  const isRedirect = response.status === 302 && response.headers.get('Location') === link.target;
  if (isRedirect && method === 'GET') link.redirected++;
  return isRedirect;
}

async function findLost(origin: string, known: Map<string, Known>): Promise<string[]> {
  const lost: string[] = [];
  const codes = [...known.keys()];
  const redirects = async (code: string): Promise<boolean> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await open(origin, code, known, 'HEAD');
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await sleep(250);
      }
    }
  };
  const client = async (): Promise<void> => {
    for (let code = codes.pop(); code !== undefined; code = codes.pop())
      if (!(await redirects(code))) lost.push(`${code} was acknowledged and does not redirect.`);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return lost;
}

async function until(holds: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50))
    if (holds()) return true;
  return false;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const clicksIn = (state: string): Map<string, number> =>
  withLocalDatabase(state, (db) => {
    const rows = db
      .prepare(
        'SELECT code, human + bot + prefetch AS clicks FROM links JOIN link_totals ON link_id = id',
      )
      .all();
    return new Map(rows.map(({ code, clicks }) => [String(code), Number(clicks)]));
  });

const { positionals } = readArguments({
  usage: 'npm test -- kill [ROUNDS]',
  about: 'Kills the local server under load, 20 times, and checks what it had acknowledged.',
  options: {},
});
const rounds = Number(positionals[0] ?? 20);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('ROUNDS is a number above 0.');
const { faults, ...figures } = await killUnderLoad(rounds);
console.log(figures);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

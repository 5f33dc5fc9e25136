import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '#scripts/shared/arguments.ts';
import { cpuOf } from './redirect/workerd.ts';
import { sender, type Send } from './server.ts';
import { CODE, PASSWORD, startProduct, type Place } from './sign-ins/product.ts';

const { values } = readArguments({
  usage: 'npm run bench -- sign-ins [options]',
  about: `Signs people in at a fixed rate while links redirect, with the objects that hash passwords in the Worker's
isolate, in another one on the same thread, and in another process. Fails if that one rejects a sign-in, or sends
the answers to sign-ins at once only after the last hash.`,
  options: {
    place: {
      type: 'string',
      value: 'NAME',
      default: 'all',
      meaning: 'isolate, thread or process: only this place',
    },
    rate: { type: 'string', value: 'N', default: '20', meaning: 'sign-ins a second' },
    seconds: { type: 'string', value: 'N', default: '60', meaning: 'length of each part' },
    cost: {
      type: 'string',
      value: 'P',
      default: '1',
      meaning: 'p of scrypt; deployed is 5, which takes three cores for 20 a second',
    },
    short: {
      type: 'boolean',
      default: false,
      meaning: '4 sign-ins within a second, in another process only',
    },
  },
});
const RATE = values.short ? 4 : Number(values.rate);
const SECONDS = values.short ? 1 : Number(values.seconds);
const REDIRECTS_PER_SECOND = 50;
const ACCOUNTS = values.short ? 4 : 10;
const CONNECTIONS = 64;
/**
 * As many at once as may wait in one isolate of objects. The short form sends fewer, but more than
 * an isolate with redirects takes, because on a busy machine the last one would wait for too long.
 */
const BURST = values.short ? 12 : 24;

type Measured = { status: number; ms: number };

type Numbered = (n: number) => Promise<{ status: number }>;

async function timed(send: Numbered, n: number): Promise<Measured> {
  const sentAt = performance.now();
  const { status } = await send(n);
  return { status, ms: performance.now() - sentAt };
}

const atOnce = (count: number, send: Numbered): Promise<Measured[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => timed(send, n)));

/** Sends requests at a fixed rate, whether or not the ones before are answered. */
async function atRate(rate: number, seconds: number, send: Numbered): Promise<Measured[]> {
  const start = performance.now();
  const measured: Promise<Measured>[] = [];
  for (let n = 0; n < rate * seconds; n++) {
    await sleep(Math.max(0, start + (n * 1_000) / rate - performance.now()));
    measured.push(timed(send, n));
  }
  return Promise.all(measured);
}

/** Every sign-in comes from another network, so that only the places for hashes limit them. */
const signIn = (send: Send, emails: readonly string[]) => (n: number) =>
  send('/api/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'CF-Connecting-IP': `2001:db8:${n.toString(16)}::1`,
    },
    body: JSON.stringify({ email: emails[n % emails.length], password: PASSWORD }),
  });

const redirect = (send: Send) => () =>
  send(`/${CODE}`, { headers: { 'CF-Connecting-IP': '203.0.113.1' } });

/** The latency in ms that `share` of the requests do not exceed. */
const latency = (measured: readonly Measured[], share: number): number => {
  const sorted = measured.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
};
const countOf = (measured: readonly Measured[], wanted: number): number =>
  measured.filter(({ status }) => status === wanted).length;
const latencies = (measured: readonly Measured[]): string =>
  `p50 ${latency(measured, 0.5)} ms, p99 ${latency(measured, 0.99)} ms, longest ${latency(measured, 1)} ms`;

const PLACES: Readonly<Record<Place, string>> = {
  isolate: 'hashes in the isolate of the Worker',
  thread: 'hashes in another isolate, on the same thread',
  process: 'hashes in another process',
};

/** Returns false if a request failed that should not. */
async function measure(place: Place, folder: string): Promise<boolean> {
  const cost = Number(values.cost);
  const product = await startProduct({ place, cost, accounts: ACCOUNTS, folder });
  const { send, close } = sender(product.origin, CONNECTIONS);
  try {
    // The first request of each kind loads its code.
    await signIn(send, product.emails)(0);
    await redirect(send)();
    const cpus = (): number[] => product.pids.map((pid) => cpuOf(pid) / 1_000);
    const quiet = await atRate(REDIRECTS_PER_SECOND, Math.min(SECONDS, 10), redirect(send));
    const before = cpus();
    const [redirects, signIns] = await Promise.all([
      atRate(REDIRECTS_PER_SECOND, SECONDS, redirect(send)),
      atRate(RATE, SECONDS, signIn(send, product.emails)),
    ]);
    const used = cpus().map((ms, n) => (ms - (before[n] ?? 0)) / signIns.length);
    const burst = await atOnce(BURST, signIn(send, product.emails));
    const done = countOf(signIns, 200);
    const rejected = countOf(signIns, 429);
    console.log(`${PLACES[place]}
  redirects alone: ${latencies(quiet)}
  redirects beside sign-ins: ${latencies(redirects)}
  ${done} of ${signIns.length} sign-ins, ${rejected} rejected; ${latencies(signIns)}
  CPU, redirects included: ${used.map((ms) => ms.toFixed(0)).join(' (hashes) and ')} ms a sign-in
  ${countOf(burst, 200)} of ${BURST} sign-ins at once; ${latencies(burst)}`);
    if (countOf(redirects, 302) < redirects.length) return false;
    const areSignedIn = done === signIns.length && countOf(burst, 200) === BURST;
    const areSentInTurn = latency(burst, 0.5) < 0.9 * latency(burst, 1);
    return place !== 'process' || (areSignedIn && areSentInTurn);
  } finally {
    close();
    await product.dispose();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hop-bench-'));
try {
  const only = values.short ? 'process' : values.place;
  const places: readonly Place[] = ['isolate', 'thread', 'process'];
  for (const place of places.filter((name) => only === 'all' || only === name))
    if (!(await measure(place, join(folder, place)))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

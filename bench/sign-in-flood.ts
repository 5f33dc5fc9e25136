/**
 * `npm run bench:flood`: measures redirects during a flood of sign-ins, on the product as `npm
 * start` serves it. Hashing a password blocks the isolate's only thread, so redirects that arrive
 * meanwhile wait. Prints a table: redirects at a steady rate alone, and during 6 and 24 loops of
 * sign-ins. Variables: SECONDS=15, RATE=150.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { withProduct } from '#scripts/product.ts';
import { redirectOf } from './mix.ts';
import { rowsOf, sender, type Send } from './server.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 15);
const RATE = Number(process.env['RATE'] ?? 150);
const LOOPS = [0, 6, 24];
/**
 * Redirects are sent when they are due, even if earlier ones still wait, so a stall needs many
 * connections.
 */
const CONNECTIONS = 1024;

type Phase = {
  loops: number;
  latencies: number[];
  bad: number;
  signIns: number[];
  refused: number;
};

await withProduct(async (origin, state) => {
  const redirects = sender(origin, CONNECTIONS);
  const signIns = sender(origin, Math.max(...LOOPS));
  const codes = rowsOf(
    state,
    `SELECT code FROM links WHERE status = 'active' AND expires_at IS NULL`,
  ).map(({ code }) => String(code));
  await steady(redirects.send, codes, 5, []);
  // The first sign-in imports its code and creates the signing key.
  await signIn(signIns.send, 0);
  const phases: Phase[] = [];
  for (const loops of LOOPS) phases.push(await measure(redirects.send, signIns.send, codes, loops));
  redirects.close();
  signIns.close();
  console.log(table(phases));
});

async function measure(
  redirect: Send,
  send: Send,
  codes: readonly string[],
  loops: number,
): Promise<Phase> {
  const phase: Phase = { loops, latencies: [], bad: 0, signIns: [], refused: 0 };
  const end = new AbortController();
  const loop = async (n: number): Promise<void> => {
    for (let i = n; !end.signal.aborted; i += loops) {
      const began = performance.now();
      const status = await signIn(send, (loops << 20) + i);
      if (end.signal.aborted) return;
      if (status === 429) phase.refused++;
      else if (status === 400) phase.signIns.push(performance.now() - began);
      else throw new Error(`A sign-in was answered ${status}.`);
    }
  };
  const flood = Array.from({ length: loops }, (_, n) => loop(n));
  await sleep(2_000);
  // Only sign-ins answered within the measured time count.
  phase.signIns.length = 0;
  phase.refused = 0;
  phase.bad = await steady(redirect, codes, SECONDS, phase.latencies);
  end.abort();
  await Promise.all(flood);
  await sleep(2_000);
  return phase;
}

/**
 * Sends `RATE` redirects per second. A latency starts when the redirect was due. Returns how many
 * were not a 302.
 */
async function steady(
  send: Send,
  codes: readonly string[],
  seconds: number,
  latencies: number[],
): Promise<number> {
  let bad = 0;
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; n < RATE * seconds;) {
    for (; n < RATE * seconds && start + (n * 1000) / RATE <= performance.now(); n++) {
      const due = start + (n * 1000) / RATE;
      const answered = send(`/${codes[(n * 7919) % codes.length] ?? ''}`, redirectOf(n)).then(
        ({ status }) => {
          latencies.push(performance.now() - due);
          if (status !== 302) bad++;
        },
      );
      pending.push(answered);
    }
    await sleep(1);
  }
  await Promise.all(pending);
  return bad;
}

/**
 * Sends a wrong password, each time for a new address and from a new network, so that no rate limit
 * of one sender applies.
 */
async function signIn(send: Send, n: number): Promise<number> {
  const network = `2001:db8:${((n >> 16) & 65_535).toString(16)}:${(n & 65_535).toString(16)}::1`;
  const { status } = await send('/api/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': network },
    body: JSON.stringify({ email: `flood-${n}@example.com`, password: 'not the password' }),
  });
  return status;
}

function table(phases: readonly Phase[]): string {
  const at = (values: readonly number[], share: number): string =>
    values.length === 0
      ? '–'
      : (values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0).toFixed(0);
  return [
    `| sign-in loops | redirects/s | p50 ms | p99 ms | longest ms | bad | sign-ins/s | sign-in p50 ms | refused/s |`,
    '|---|---|---|---|---|---|---|---|---|',
    ...phases.map(
      ({ loops, latencies, bad, signIns, refused }) =>
        `| ${loops} | ${RATE} | ${at(latencies, 0.5)} | ${at(latencies, 0.99)} | ${at(latencies, 1)} | ${bad} | ${(signIns.length / SECONDS).toFixed(1)} | ${at(signIns, 0.5)} | ${(refused / SECONDS).toFixed(1)} |`,
    ),
  ].join('\n');
}

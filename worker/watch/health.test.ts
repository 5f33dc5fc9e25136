import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#contract/time.ts';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import {
  isUnused,
  judge,
  judgeStatus,
  scheduleCheck,
  type Health,
  type CheckOutcome,
} from './health.ts';

const NOW = Date.UTC(2026, 10, 26);
const outcomeOf = (kind: CheckOutcome['kind']): CheckOutcome => ({
  kind,
  reason: 'status',
  status: 1,
});

/** The same from the list of all checks: when the failures since the last success began and ended. */
function naiveState(checks: readonly { kind: CheckOutcome['kind']; at: number }[]): string {
  const lastOk = checks.findLastIndex(({ kind }) => kind === 'ok');
  const since = checks.slice(lastOk + 1);
  const failures = since.filter(({ kind }) => kind === 'failure');
  const [first] = failures;
  const isDead = failures.some(({ at }, index) => index >= 2 && at - (first?.at ?? at) >= DAY_MS);
  if (isDead) return 'dead';
  return { ok: 'ok', failure: 'suspect', unclear: 'unclear' }[since.at(-1)?.kind ?? 'ok'];
}

const history = fc.array(
  fc.record({
    kind: fc.constantFrom<CheckOutcome['kind']>('ok', 'unclear', 'failure', 'failure'),
    // Three failures are dead or not depending on a millisecond.
    pause: fc.constantFrom(0, 1, HOUR_MS, 12 * HOUR_MS - 1, 12 * HOUR_MS, 30 * DAY_MS),
  }),
  { minLength: 1, maxLength: 30 },
);

describe('judge', () => {
  it(
    'gives every history of checks the state that a naive reading of it has',
    { timeout: PROPERTY_TIMEOUT },
    async () => {
      await checkProperty(
        'health',
        fc.asyncProperty(history, async (steps) => {
          let at = NOW;
          let health: Health | null = null;
          const checks: { kind: CheckOutcome['kind']; at: number }[] = [];
          for (const { kind, pause } of steps) {
            at += pause;
            checks.push({ kind, at });
            const before: Health | null = health;
            health = judge(before, outcomeOf(kind), at);
            expect(health.state).toBe(naiveState(checks));
            expect(health.since).toBe(before?.state === health.state ? before.since : at);
          }
        }),
        2_000,
      );
    },
  );
});

describe('judgeStatus', () => {
  it.each<[CheckOutcome['kind'], number[]]>([
    ['ok', [200, 204, 206, 304]],
    ['failure', [404, 410, 500, 502, 503, 521, 530]],
    ['unclear', [400, 401, 402, 403, 405, 406, 407, 418, 429, 451, 999]],
  ])('judges a status as %s: %j', (kind, statuses) => {
    for (const status of statuses) expect(judgeStatus(status).kind, String(status)).toBe(kind);
  });
});

describe('scheduleCheck', () => {
  it('the next check is a day later, 30 days if unused, 12 hours after a failure', () => {
    expect(scheduleCheck('ok', NOW - 7 * DAY_MS, NOW)).toBe(NOW + DAY_MS);
    expect(scheduleCheck('ok', NOW - 7 * DAY_MS - 1, NOW)).toBe(NOW + 30 * DAY_MS);
    expect(scheduleCheck('dead', NOW, NOW)).toBe(NOW + DAY_MS);
    expect(scheduleCheck('suspect', 0, NOW)).toBe(NOW + 12 * HOUR_MS);
  });

  it('a link is unused after half a year without a click', () => {
    expect(isUnused(NOW - 180 * DAY_MS, NOW)).toBe(false);
    expect(isUnused(NOW - 180 * DAY_MS - 1, NOW)).toBe(true);
  });
});

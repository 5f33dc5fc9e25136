import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time.ts';
import { signalMessage } from '#worker/messages/system.ts';
import { QUIET_FACTS } from '#worker/testing/quiet-facts.ts';
import { evaluateErrors, evaluateMail, evaluateWriter } from './evaluate-traffic.ts';
import type { Evaluation } from './evaluation.ts';

const NOW = Date.UTC(2027, 0, 10, 12);
const sentenceOf = ({ reason, values }: Evaluation) => signalMessage(reason, values).sentence;

describe('evaluateErrors', () => {
  it.each([
    [1_000, 9, 'ok'],
    [10_000, 90, 'ok'],
    [1_000, 10, 'warn'],
    [1_000, 49, 'warn'],
    [1_000, 50, 'bad'],
    [10, 10, 'bad'],
  ] as const)('of %i requests, %i that failed are %s', (requests, errors, state) => {
    expect(evaluateErrors({ ...QUIET_FACTS, errors: { requests, errors } }).state).toBe(state);
  });

  it('says how many requests failed, and their share', () => {
    const errors = { requests: 240, errors: 12 };
    expect(sentenceOf(evaluateErrors({ ...QUIET_FACTS, errors }))).toBe(
      '12 requests of the last ten minutes failed, 5 % of those that the same isolates answered.',
    );
  });
});

describe('evaluateMail', () => {
  const failing = (ms: number) =>
    evaluateMail(
      {
        ...QUIET_FACTS,
        channels: [
          { channel: 'webhook', failing: null },
          { channel: 'mail', failing: { since: NOW - ms, fault: 'E_DAILY_LIMIT_EXCEEDED' } },
        ],
      },
      NOW,
    );

  it('turns red once mails have failed for five minutes, and says why', () => {
    expect(failing(5 * MINUTE_MS).state).toBe('warn');
    const late = failing(6 * MINUTE_MS);
    expect([late.state, late.since]).toEqual(['bad', NOW - 6 * MINUTE_MS]);
    expect(sentenceOf(late)).toBe('No mail could be sent for 6 minutes: E_DAILY_LIMIT_EXCEEDED.');
  });

  it('shows green where no mail is sent', () => {
    const none = evaluateMail({ ...QUIET_FACTS, channels: [] }, NOW);
    expect([none.state, sentenceOf(none)]).toEqual(['ok', 'This deployment sends no mail.']);
  });
});

describe('evaluateWriter', () => {
  it('warns before the writer of a database is full, and names the busiest', () => {
    const busy = (share: number) =>
      evaluateWriter({
        ...QUIET_FACTS,
        busy: [
          { name: 'DB', share: 0.1 },
          { name: 'CLICKS_1', share },
        ],
      });
    expect([0.4, 0.5, 0.79, 0.8, 1.2].map((share) => busy(share).state)).toEqual([
      'ok',
      'warn',
      'warn',
      'bad',
      'bad',
    ]);
    expect(sentenceOf(busy(1.2))).toBe(
      'CLICKS_1 is busy for 100 % of the time. Add a shard before clicks have to wait.',
    );
  });
});

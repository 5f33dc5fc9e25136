import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { withMethods } from '#worker/db/with-methods.ts';
import { clickQueue } from './click-queues.ts';

const queues = [1, 2, 3].map(() => withMethods(env.CLICKS, {}));
const [CLICKS = env.CLICKS, second, third] = queues;
const bound = (CLICK_QUEUES: string, others: object = { CLICKS_QUEUE_2: second }): Env => ({
  ...env,
  CLICKS,
  ...Object.assign({ CLICKS_QUEUE_3: third }, others),
  CLICK_QUEUES,
});
const chosen = (given: Env, draw: number, attempt = 1) =>
  queues.indexOf(clickQueue(given, draw, attempt));

describe('clickQueue', () => {
  it('isolates are spread over the queues by their draw', () => {
    const draws = [0, 0.33, 0.34, 0.66, 0.67, 0.999];
    expect(draws.map((draw) => chosen(bound('3'), draw))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('a further attempt takes the next queue', () => {
    expect([1, 2, 3, 4].map((attempt) => chosen(bound('3'), 0.5, attempt))).toEqual([1, 2, 0, 1]);
  });

  it.each(['1', '', '0', 'many'])('with CLICK_QUEUES=%j there is one queue', (count) => {
    expect([0, 0.5, 0.999].map((draw) => chosen(bound(count), draw))).toEqual([0, 0, 0]);
  });

  it('a queue that is not bound is left out', () => {
    const draws = [0, 0.49, 0.5, 0.999];
    expect(draws.map((draw) => chosen(bound('3', {}), draw))).toEqual([0, 0, 2, 2]);
  });
});

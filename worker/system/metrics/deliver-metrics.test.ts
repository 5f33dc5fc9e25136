import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#contract/time.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { countResponse, observe, takeWindow } from '#worker/metrics/counters.ts';
import { d1Down } from '#worker/testing/faults.ts';
import { factOf } from '#worker/testing/system-facts.ts';
import { METRICS_WINDOW_MS } from '#worker/metrics/measure-response.ts';
import { deliverMetrics, deliverMetricsSometimes } from './deliver-metrics.ts';

const SENDS = {
  ...env,
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/base/',
  OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc,x-tenant=7',
};
/** Each test begins later than what the one before has left behind. */
let now = Date.UTC(2027, 0, 10, 12);

type Posted = { url: string; headers: Headers; sums: Record<string, number>; startedAt: number };

/** A receiver that answers with these statuses, and what was posted to it. */
function receiver(...statuses: (number | 'unreachable')[]) {
  const posts: Posted[] = [];
  const fetcher: FetchFunction = async (url, init) => {
    const request = new Request(url, init);
    const { resourceMetrics } = await request.json<{
      resourceMetrics: {
        scopeMetrics: {
          metrics: {
            name: string;
            sum?: { dataPoints: { asInt: string; startTimeUnixNano: string }[] };
          }[];
        }[];
      }[];
    }>();
    const metrics = resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap((scope) => scope.metrics),
    );
    posts.push({
      url,
      headers: request.headers,
      sums: Object.fromEntries(
        metrics.flatMap(({ name, sum }) =>
          (sum?.dataPoints ?? []).map((point) => [name, Number(point.asInt)]),
        ),
      ),
      startedAt: Number(metrics[0]?.sum?.dataPoints[0]?.startTimeUnixNano) / 1e6,
    });
    const status = statuses.shift() ?? 200;
    if (status === 'unreachable') throw new Error('connect ECONNREFUSED secret.example');
    return new Response('{}', { status });
  };
  return { posts, fetcher };
}

beforeEach(() => {
  takeWindow();
  now += 60 * MINUTE_MS;
});

describe('deliverMetrics', () => {
  it('posts a window to the receiver, with its headers', async () => {
    const { posts, fetcher } = receiver();
    observe('hop.clicks.lost', 3);
    await deliverMetrics(SENDS, now, fetcher);
    expect(posts).toMatchObject([
      { url: 'https://otlp.example/base/v1/metrics', sums: { 'hop.clicks.lost': 3 } },
    ]);
    const [post] = posts;
    expect(post?.headers.get('Content-Type')).toBe('application/json');
    expect(post?.headers.get('Authorization')).toBe('Basic abc');
    expect(post?.headers.get('x-tenant')).toBe('7');
  });

  it('posts nothing without observations, and nothing without a receiver', async () => {
    const { posts, fetcher } = receiver();
    await deliverMetrics(SENDS, now, fetcher);
    observe('hop.clicks.lost', 3);
    await deliverMetrics(env, now, fetcher);
    expect(posts).toEqual([]);
  });

  it.each([503, 429, 'unreachable'] as const)(
    'adds to the next window what a receiver (%s) did not take, after a minute',
    async (fault) => {
      const { posts, fetcher } = receiver(fault);
      await deliverMetrics(SENDS, now - 15_000, fetcher);
      for (const [ms, lost] of [
        [0, 1],
        [15_000, 10],
        [60_000, 100],
        [75_000, 1_000],
      ] as const) {
        observe('hop.clicks.lost', lost);
        await deliverMetrics(SENDS, now + ms, fetcher);
      }
      expect(posts.map(({ sums, startedAt }) => [sums['hop.clicks.lost'], startedAt])).toEqual([
        [1, now - 15_000],
        [111, now - 15_000],
        [1_000, now + 60_000],
      ]);
    },
  );

  it('drops what a receiver refuses, and what it did not take for five minutes', async () => {
    const { posts, fetcher } = receiver(400, 200, 503, 200);
    for (const [ms, lost] of [
      [0, 1],
      [15_000, 10],
      [30_000, 100],
      [6 * MINUTE_MS, 1_000],
    ] as const) {
      observe('hop.clicks.lost', lost);
      await deliverMetrics(SENDS, now + ms, fetcher);
    }
    expect(posts.map(({ sums }) => sums['hop.clicks.lost'])).toEqual([1, 10, 100, 1_000]);
  });

  it('writes a data point for each series where a dataset is bound', async () => {
    const points: AnalyticsEngineDataPoint[] = [];
    const METRICS = { writeDataPoint: (point = {}) => void points.push(point) };
    observe('hop.mails', 1, 'sent');
    observe('hop.queue.lag', 2_000, 'clicks');
    await deliverMetrics({ ...env, METRICS_DATASET: 'hop_metrics', METRICS }, now);
    expect(points).toEqual([
      {
        indexes: ['hop.mails'],
        blobs: ['localhost:8787', expect.any(String), 'sent'],
        doubles: [1, 1],
      },
      {
        indexes: ['hop.queue.lag'],
        blobs: ['localhost:8787', expect.any(String), 'clicks'],
        doubles: [1, 2_000, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
      },
    ]);
  });

  it('writes at most 250 data points, as many as an invocation may', async () => {
    let points = 0;
    for (let name = 0; name <= 250; name += 1) observe('hop.mails', 1, `outcome ${name}`);
    const METRICS = { writeDataPoint: () => void (points += 1) };
    await deliverMetrics({ ...env, METRICS_DATASET: 'hop_metrics', METRICS }, now);
    expect(points).toBe(250);
  });

  it('delivers once in a window, and again after a clock was set back', async () => {
    let points = 0;
    const METRICS = { writeDataPoint: () => void (points += 1) };
    const deliverAt = async (ms: number) => {
      observe('hop.clicks.lost', 1);
      points = 0;
      await deliverMetricsSometimes({ ...env, METRICS_DATASET: 'hop_metrics', METRICS }, now + ms);
      return points > 0;
    };
    expect([
      await deliverAt(0),
      await deliverAt(METRICS_WINDOW_MS - 1),
      await deliverAt(METRICS_WINDOW_MS),
      await deliverAt(-1),
    ]).toEqual([true, false, true, true]);
    const { posts, fetcher } = receiver(503, 200);
    for (const ms of [10 * MINUTE_MS, 5 * MINUTE_MS]) {
      observe('hop.clicks.lost', 1);
      await deliverMetrics(SENDS, now + ms, fetcher);
    }
    expect(posts).toHaveLength(2);
  });

  it('stores a row for the responses of a window with failures, and none for others', async () => {
    countResponse('/api', 404, 1);
    await deliverMetrics(env, now);
    expect(await factOf('errors')).toBeNull();
    for (const status of [302, 302, 500]) countResponse('/{code}', status, 1);
    await deliverMetrics(env, now);
    for (const status of [200, 503]) countResponse('/api', status, 1);
    await deliverMetrics(env, now + 1);
    const interval = now / (5 * MINUTE_MS);
    expect(await factOf('errors')).toEqual({
      interval,
      counts: { requests: 5, errors: 2 },
      before: {},
    });
    countResponse('/api', 500, 1);
    await deliverMetrics(env, now + 5 * MINUTE_MS);
    expect(await factOf('errors')).toEqual({
      interval: interval + 1,
      counts: { requests: 1, errors: 1 },
      before: { requests: 5, errors: 2 },
    });
    countResponse('/api', 500, 1);
    await deliverMetrics(env, now + 15 * MINUTE_MS);
    expect(await factOf('errors')).toMatchObject({ before: {} });
  });

  it('never throws while D1 is down', async () => {
    countResponse('/api', 503, 1);
    await expect(deliverMetrics({ ...env, DB: d1Down(env.DB) }, now)).resolves.toBeUndefined();
  });
});

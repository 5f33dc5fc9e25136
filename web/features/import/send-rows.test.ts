import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestError } from '#web/shared/api/api.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { readSource } from './read-source.ts';
import { checkRows, withRetries, sendRows } from './send-rows.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ line: at + 1, url: `https://a.example/${at}` }));
const JOB = { id: 'job', format: 'csv', collisions: 'skip' } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Sends one row. `waits` has the ms before each further request. */
async function send(answer: () => unknown, signal = new AbortController().signal) {
  const times: number[] = [];
  serve(() => {
    times.push(Date.now());
    return answer();
  });
  const result = sendRows(JOB, rows(1), async () => undefined, signal).then(
    () => 'sent',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  await vi.advanceTimersByTimeAsync(100_000);
  const waits = () => times.slice(1).map((time, at) => time - (times[at] ?? 0));
  return { result: await Promise.race([result, Promise.resolve('open')]), waits };
}

describe('sendRows', () => {
  it.each([
    ['the rate limit', () => rejection(429, 'Too many.')],
    ['a busy server', () => rejection(503, 'Down.')],
    ['status 500', () => rejection(500, 'Down.')],
    [
      'no response',
      () => {
        throw new TypeError('Failed to fetch');
      },
    ],
  ])('repeats a request after %s, and gives up after 65 seconds', async (_, answer) => {
    const { result, waits } = await send(answer);
    expect(waits()).toEqual([1_000, 4_000, 15_000, 45_000]);
    expect(result).not.toBe('sent');
  });

  it.each([400, 401, 403, 404, 409, 499])('repeats no request after status %i', async (status) => {
    const { result, waits } = await send(() => rejection(status, 'No.'));
    expect([result, waits()]).toEqual(['No.', []]);
  });

  it('goes on after a request that failed', async () => {
    const answers = [rejection(503, 'Down.')];
    expect((await send(() => answers.shift() ?? { lines: [] })).result).toBe('sent');
  });

  it('a stop ends the pause between two requests at once', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const { result, waits } = await send(() => rejection(503, 'Down.'), stop.signal);
    expect([result, waits()]).toEqual(['The import was stopped.', []]);
  });
});

describe('withRetries', () => {
  it('a request that fails after the stop is the last one', async () => {
    const seen: string[] = [];
    const request = async () => {
      seen.push('sent');
      throw new RequestError(503, {});
    };
    void withRetries(request, AbortSignal.abort()).catch(() => seen.push('ended'));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['sent', 'ended']);
  });
});

describe('readSource', () => {
  it('repeats a page after a busy server, and keeps how many links there are', async () => {
    const answers = [rejection(503, 'Down.'), { links: ['a'], total: 3, next: null }];
    serve(() => answers.shift());
    const source = { source: 'shlink', address: 's.example', key: 'k' } as const;
    const read = readSource(source, () => undefined, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await read).toBe('{"data":["a"],"total":3}');
  });
});

describe('checkRows', () => {
  it('reports progress in rows, and the room of the last response', async () => {
    let room = 500;
    serve(({ body }) => {
      const { rows: sent }: { rows: unknown[] } = JSON.parse(JSON.stringify(body));
      room -= 100;
      return { room, allowance: room + 1, lines: sent };
    });
    const progress: number[] = [];
    const result = checkRows(
      'csv',
      rows(1_200),
      (count) => progress.push(count),
      new AbortController().signal,
    );
    await vi.advanceTimersByTimeAsync(0);
    const checked = await result;
    expect(checked.lines).toHaveLength(1_200);
    expect(progress).toEqual([500, 1_000, 1_200]);
    expect(checked).toMatchObject({ room, allowance: room + 1 });
    expect(room).toBe(200);
  });
});

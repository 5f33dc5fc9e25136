import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSharedTimeout } from './shared-timeout.ts';
import { TimeoutError } from './with-timeout.ts';

const never = () => new Promise<never>(() => undefined);
/** A read that takes `ms` of fake time. */
const slowRead = (ms: number) => () =>
  new Promise<string>((resolve) => setTimeout(() => resolve('value'), ms));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A shared timeout, and the work that it has passed to `waitUntil`. */
function setUp(limitMs: number) {
  const sharedTimeout = createSharedTimeout(limitMs);
  const watchers: Promise<unknown>[] = [];
  const start = <T>(read: () => Promise<T>) =>
    sharedTimeout(read, Date.now(), (work) => void watchers.push(work));
  /**
   * Starts a read that never ends, and notes after how many ms it was given up; null while it is
   * pending.
   */
  const startHanging = () => {
    const startedAt = Date.now();
    const outcome: { error: unknown; afterMs: number | null } = { error: null, afterMs: null };
    start(never).catch((error: unknown) =>
      Object.assign(outcome, { error, afterMs: Date.now() - startedAt }),
    );
    return outcome;
  };
  return { start, startHanging, watchers };
}

describe('a shared timeout', () => {
  it('a shared timeout settles like the read', async () => {
    const { start } = setUp(1_000);
    expect(await start(() => Promise.resolve('value'))).toBe('value');
    await expect(start(() => Promise.reject(new Error('KV GET failed')))).rejects.toThrow(
      'KV GET failed',
    );
    const throwing = (): Promise<never> => {
      throw new Error('KV is not bound');
    };
    await expect(start(throwing)).rejects.toThrow('KV is not bound');
  });

  it('rejects every slow read at its own time, with one watcher for all', async () => {
    const { startHanging, watchers } = setUp(300);
    const reads: ReturnType<typeof startHanging>[] = [];
    for (let i = 0; i < 5; i++) {
      reads.push(startHanging());
      await vi.advanceTimersByTimeAsync(60);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    for (const { error, afterMs } of reads) {
      expect(error).toBeInstanceOf(TimeoutError);
      expect(afterMs).toBeGreaterThanOrEqual(300);
      expect(afterMs).toBeLessThanOrEqual(550);
    }
    expect(watchers).toHaveLength(1);
    await watchers[0];
  });

  it('a read that ends in time is not disturbed', async () => {
    const { start } = setUp(300);
    const read = start(slowRead(290));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await read).toBe('value');
  });

  it('a watcher hands over after 15 s, and the first one ends', async () => {
    const { start, startHanging, watchers } = setUp(1_000);
    let hasFirstEnded = false;
    // A read is always pending, so the first watcher never runs out of work.
    for (let ms = 0; ms < 16_000; ms += 100) {
      void start(slowRead(350));
      if (ms === 0) void watchers[0]?.then(() => (hasFirstEnded = true));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(watchers).toHaveLength(2);
    expect(hasFirstEnded).toBe(true);
    const late = startHanging();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(late.error).toBeInstanceOf(TimeoutError);
    expect(watchers).toHaveLength(2);
  });

  it('a new watcher starts if the last one was cancelled with its request', async () => {
    const { start, startHanging, watchers } = setUp(100);
    void start(never).catch(() => undefined);
    // The platform cancels the timers of a request that it ends.
    vi.clearAllTimers();
    await vi.advanceTimersByTimeAsync(1_501);
    const read = startHanging();
    expect(watchers).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(400);
    expect(read.error).toBeInstanceOf(TimeoutError);
  });
});

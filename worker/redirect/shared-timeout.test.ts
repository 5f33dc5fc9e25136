import { expect, it } from 'vitest';
import { TimeoutError } from './with-timeout.ts';
import { createSharedTimeout } from './shared-timeout.ts';

const never = () => new Promise<never>(() => undefined);

it('gives what it guards, or its failure', async () => {
  const guard = createSharedTimeout(1_000);
  const held: Promise<unknown>[] = [];
  const hold = (work: Promise<unknown>) => void held.push(work);
  expect(await guard(() => Promise.resolve('value'), Date.now(), hold)).toBe('value');
  await expect(guard(() => Promise.reject(new Error('KV GET failed')), Date.now(), hold)).rejects.toThrow('KV GET failed');
  const atOnce = (): Promise<never> => {
    throw new Error('KV is not bound');
  };
  await expect(guard(atOnce, Date.now(), hold)).rejects.toThrow('KV is not bound');
});

it('gives up every read that takes too long, with one watch for all, which ends when nobody waits', async () => {
  const guard = createSharedTimeout(300);
  const held: Promise<unknown>[] = [];
  const began = performance.now();
  const waits: Promise<number>[] = [];
  for (let i = 0; i < 5; i++) {
    const asked = performance.now();
    const read = guard(never, Date.now(), (work) => void held.push(work));
    waits.push(
      read.then(
        () => 0,
        (error: unknown) => (expect(error).toBeInstanceOf(TimeoutError), performance.now() - asked),
      ),
    );
    await scheduler.wait(60);
  }
  for (const waited of await Promise.all(waits)) {
    expect(waited).toBeGreaterThan(250);
    expect(waited).toBeLessThan(1_500);
  }
  expect(held).toHaveLength(1);
  await held[0];
  expect(performance.now() - began).toBeLessThan(3_000);
});

it('is relieved by the next request when the one that kept watch has died', async () => {
  const guard = createSharedTimeout(100);
  const now = Date.now();
  void guard(
    () => Promise.resolve(),
    now,
    () => undefined,
  );
  const held: Promise<unknown>[] = [];
  await expect(guard(never, now + 5_000, (work) => void held.push(work))).rejects.toThrow();
  expect(held).toHaveLength(1);
});

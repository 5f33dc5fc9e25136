import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { createLossRecorder } from './record-loss.ts';

describe('createLossRecorder', () => {
  it('losses that could not be stored are stored with the next call, even an empty one', async () => {
    const stored: number[] = [];
    let isDown = true;
    const record = createLossRecorder((_, clicks) => {
      if (isDown) return Promise.reject(new Error('D1 is down'));
      stored.push(clicks);
      return Promise.resolve();
    });
    await Promise.all([record(env, 2, 0), record(env, 3, 0)]);
    await record(env, 1, 0);
    expect(stored).toEqual([]);
    isDown = false;
    await record(env, 0, 0);
    await record(env, 0, 0);
    await record(env, 1, 0);
    expect(stored).toEqual([6, 1]);
  });
});

import { expect, it } from 'vitest';
import type { EdgeRecord } from './edge-record.ts';
import { createLinkMemory } from './link-memory.ts';

const NOW = 1_800_000_000_000;
const link = (v = 1): EdgeRecord => ({ v, i: 1, s: 'a', u: 'https://example.com/', e: 0 });

it('remembers a link for its time and no longer, whatever asks for it', () => {
  const memory = createLinkMemory();
  memory.remember('a', link(), NOW, 5_000);
  expect(memory.recall('a', NOW + 4_999)?.link.v).toBe(1);
  expect(memory.recall('a', NOW + 5_000)).toBeUndefined();
});

it('is bounded, and keeps what is used', () => {
  const memory = createLinkMemory(10, 10);
  for (let i = 0; i < 1_000; i++) {
    memory.remember(`link${i}`, link(), NOW, 5_000);
    memory.rememberMiss(`miss${i}`, NOW, 5_000);
    if (i === 0) memory.remember('hot', link(), NOW, 5_000);
    expect(memory.recall('hot', NOW)).toBeDefined();
    const { links, misses } = memory.size();
    expect(links).toBeLessThanOrEqual(20);
    expect(misses).toBeLessThanOrEqual(20);
  }
  expect(memory.recall('link0', NOW)).toBeUndefined();
  expect(memory.recall('link999', NOW)).toBeDefined();
});

it('keeps the newer of two copies, also for a while after it ran out', () => {
  const memory = createLinkMemory();
  memory.remember('a', link(3), NOW, 5_000);
  expect(memory.remember('a', link(2), NOW + 10_000, 5_000).v).toBe(3);
  expect(memory.remember('a', link(2), NOW + 90_000, 5_000).v).toBe(2);
});

it('forgets a miss when the link is made, and keeps it for five seconds at the most', () => {
  const memory = createLinkMemory();
  memory.rememberMiss('a', NOW, 60_000);
  expect(memory.recallMiss('a', NOW + 4_999)).toBe(true);
  expect(memory.recallMiss('a', NOW + 5_000)).toBe(false);
  memory.learn('a', link());
  expect(memory.recallMiss('a', NOW)).toBe(false);
});

it('keeps nothing at 0', () => {
  const memory = createLinkMemory();
  memory.remember('a', link(), NOW, 0);
  memory.rememberMiss('b', NOW, 0);
  expect(memory.size()).toEqual({ links: 0, misses: 0 });
});

import { describe, expect, it } from 'vitest';
import type { EdgeRecord } from './edge-record.ts';
import { createLinkMemory } from './link-memory.ts';

const NOW = 1_800_000_000_000;
const record = (v = 1): EdgeRecord => ({ v, i: 1, s: 'a', u: 'https://example.com/', e: 0 });

describe('the link memory', () => {
  it('remembers a record for its time and no longer', () => {
    const memory = createLinkMemory();
    memory.set('a', record(), NOW, 5_000);
    expect(memory.get('a', NOW + 4_999)?.v).toBe(1);
    expect(memory.get('a', NOW + 5_000)).toBeUndefined();
  });

  it('the link memory is bounded and keeps the entries in use', () => {
    const memory = createLinkMemory(10, 10);
    for (let i = 0; i < 1_000; i++) {
      memory.set(`link${i}`, record(), NOW, 5_000);
      memory.setMiss(`miss${i}`, NOW, 5_000);
      if (i === 0) memory.set('hot', record(), NOW, 5_000);
      expect(memory.get('hot', NOW)).toBeDefined();
      const { links, misses } = memory.size();
      expect(links).toBeLessThanOrEqual(20);
      expect(misses).toBeLessThanOrEqual(20);
    }
    expect(memory.get('link0', NOW)).toBeUndefined();
    expect(memory.get('link999', NOW)).toBeDefined();
  });

  it('prefers the newer of two records for 60 s after it has expired', () => {
    const memory = createLinkMemory();
    memory.set('a', record(3), NOW, 5_000);
    expect(memory.set('a', record(2), NOW + 10_000, 5_000).v).toBe(3);
    expect(memory.set('a', record(2), NOW + 90_000, 5_000).v).toBe(2);
  });

  it('replaces an older record on update, and keeps a newer one', () => {
    const memory = createLinkMemory();
    memory.set('a', record(2), NOW, 5_000);
    memory.update('a', record(1));
    expect(memory.get('a', NOW)?.v).toBe(2);
    memory.update('a', record(3));
    expect(memory.get('a', NOW + 4_999)?.v).toBe(3);
    expect(memory.get('a', NOW + 5_000)).toBeUndefined();
  });

  it('remembers a miss for five seconds at most, or until the link is created', () => {
    const memory = createLinkMemory();
    memory.setMiss('a', NOW, 60_000);
    expect(memory.hasMiss('a', NOW + 4_999)).toBe(true);
    expect(memory.hasMiss('a', NOW + 5_000)).toBe(false);
    memory.update('a', record());
    expect(memory.hasMiss('a', NOW)).toBe(false);
  });

  it('remembers nothing for 0 ms', () => {
    const memory = createLinkMemory();
    memory.set('a', record(), NOW, 0);
    memory.setMiss('b', NOW, 0);
    expect(memory.size()).toEqual({ links: 0, misses: 0 });
  });
});

import { describe, expect, it } from 'vitest';
import type { EdgeRecord } from './edge-record.ts';
import { createLinkMemory } from './link-memory.ts';

const NOW = 1_800_000_000_000;
const record = (v = 1): EdgeRecord => ({ v, i: 1, s: 'a', u: 'https://example.com/', e: 0 });

describe('the link memory', () => {
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

  it('remembers a miss for five seconds at most, or until the link is created', () => {
    const memory = createLinkMemory();
    memory.setMiss('a', NOW, 60_000);
    expect(memory.hasMiss('a', NOW + 4_999)).toBe(true);
    expect(memory.hasMiss('a', NOW + 5_000)).toBe(false);
    memory.update('a', record());
    expect(memory.hasMiss('a', NOW)).toBe(false);
    memory.setMiss('b', NOW, 5_000);
    memory.set('b', record(), NOW, 5_000);
    expect(memory.hasMiss('b', NOW)).toBe(false);
  });

  it('remembers no miss for 0 ms', () => {
    const memory = createLinkMemory();
    memory.setMiss('a', NOW, 0);
    expect(memory.size()).toEqual({ links: 0, misses: 0 });
  });
});

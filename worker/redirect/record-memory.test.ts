import { describe, expect, it } from 'vitest';
import { createRecordMemory } from './record-memory.ts';

const NOW = 1_800_000_000_000;
type Versioned = { v: number; name?: string };
const remembering = (v: number) => {
  const memory = createRecordMemory<Versioned | null>(10);
  memory.set('a', { v }, NOW, 5_000);
  return memory;
};

describe('the memory of records', () => {
  it('remembers a record for its time and no longer', () => {
    const memory = remembering(1);
    expect(memory.get('a', NOW + 4_999)).toEqual({ v: 1 });
    expect(memory.get('a', NOW + 5_000)).toBeUndefined();
    expect(memory.get('b', NOW)).toBeUndefined();
  });

  it('prefers the newer of two records for 60 s after it has expired', () => {
    expect(remembering(3).set('a', { v: 2 }, NOW + 64_999, 5_000)).toEqual({ v: 3 });
    expect(remembering(3).set('a', { v: 2 }, NOW + 65_000, 5_000)).toEqual({ v: 2 });
    expect(remembering(3).set('a', { v: 3, name: 'b' }, NOW, 5_000)).toEqual({ v: 3, name: 'b' });
  });

  it('remembers the newer record for the time of the read that was stale', () => {
    const memory = remembering(3);
    memory.set('a', { v: 2 }, NOW + 10_000, 1_000);
    expect(memory.get('a', NOW + 10_999)).toEqual({ v: 3 });
    expect(memory.get('a', NOW + 11_000)).toBeUndefined();
  });

  it('believes at once that there is no record', () => {
    const memory = remembering(3);
    expect(memory.set('a', null, NOW, 5_000)).toBeNull();
    expect(memory.get('a', NOW)).toBeNull();
    expect(memory.set('a', { v: 1 }, NOW, 5_000)).toEqual({ v: 1 });
  });

  it('replaces a record that is not newer on update, until the same time', () => {
    const memory = remembering(2);
    memory.update('a', { v: 1 });
    expect(memory.get('a', NOW)).toEqual({ v: 2 });
    memory.update('a', { v: 2, name: 'b' });
    expect(memory.get('a', NOW)).toEqual({ v: 2, name: 'b' });
    memory.update('a', { v: 3 });
    expect(memory.get('a', NOW + 4_999)).toEqual({ v: 3 });
    expect(memory.get('a', NOW + 5_000)).toBeUndefined();
    memory.update('b', { v: 1 });
    expect(memory.get('b', NOW)).toBeUndefined();
  });

  it('remembers nothing for 0 ms', () => {
    const memory = createRecordMemory<Versioned>(10);
    expect(memory.set('a', { v: 1 }, NOW, 0)).toEqual({ v: 1 });
    expect(memory.size()).toBe(0);
  });
});

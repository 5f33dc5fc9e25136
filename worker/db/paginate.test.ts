import { describe, expect, it } from 'vitest';
import { PAGE_SIZE } from '#contract/limits.ts';
import { idFromCursor, PAGE_LIMIT, paginate } from './paginate.ts';

const rows = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('paginate', () => {
  it('returns no next cursor for a page that is not full', () => {
    expect(paginate(rows(3), String)).toEqual({ rows: [1, 2, 3], nextCursor: null });
    expect(paginate([], String)).toEqual({ rows: [], nextCursor: null });
  });

  it('returns no next cursor for a full last page', () => {
    expect(paginate(rows(PAGE_SIZE), String)).toEqual({ rows: rows(PAGE_SIZE), nextCursor: null });
  });

  it('continues where a bounded query has stopped, unless the page is full', () => {
    expect(paginate(rows(3), String, '900')).toEqual({ rows: [1, 2, 3], nextCursor: '900' });
    expect(paginate(rows(PAGE_LIMIT), String, '900').nextCursor).toBe(String(PAGE_SIZE));
  });

  it('drops the extra row and continues after the last row shown', () => {
    expect(paginate(rows(PAGE_LIMIT), String)).toEqual({
      rows: rows(PAGE_SIZE),
      nextCursor: String(PAGE_SIZE),
    });
  });
});

describe('idFromCursor', () => {
  it('reads the id that a page ended with', () => {
    expect(idFromCursor('1')).toBe(1);
    expect(idFromCursor('999999999999999')).toBe(999_999_999_999_999);
  });

  it('starts from the beginning for anything else', () => {
    for (const cursor of ['', '0', '01', '-1', '1.5', 'x', '1 ', '1000000000000000'])
      expect(idFromCursor(cursor), cursor).toBeNull();
  });
});

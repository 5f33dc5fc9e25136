import { describe, expect, it } from 'vitest';
import { describeSelection, monthBefore, rangeParams, parseSelection, searchOf } from './range.ts';

const parse = (text: string) => parseSelection(new URLSearchParams(text));

describe('parseSelection', () => {
  it.each([
    ['', null],
    ['range=nonsense', null],
    ['range=constructor', null],
    ['range=12m', { range: '12m' }],
    ['from=2026-10-01&to=2026-10-31', { from: '2026-10-01', to: '2026-10-31' }],
    ['from=2026-10-31&to=2026-10-01', null],
    ['from=2026-13-01&to=2026-13-02&range=7d', { range: '7d' }],
    ['from=2026-10-01', null],
  ])('reads %o', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });
});

describe('searchOf', () => {
  it('asks for 30 days if the address names no range', () => {
    expect(searchOf(null)).toBe('range=30d');
    expect(searchOf({ from: '2026-10-01', to: '2026-10-31' })).toBe(
      'from=2026-10-01&to=2026-10-31',
    );
  });
});

describe('rangeParams', () => {
  it('removes the parameters of the other kind of range', () => {
    expect(rangeParams({ range: '7d' })).toEqual({ range: '7d', from: '', to: '' });
    expect(rangeParams(null)).toEqual({ range: '', from: '', to: '' });
  });
});

describe('monthBefore', () => {
  it('returns whole months, and the current one up to today', () => {
    const now = Date.parse('2026-03-15T10:00:00Z');
    expect(monthBefore(now, 1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(monthBefore(now, 0)).toEqual({ from: '2026-03-01', to: '2026-03-15' });
  });
});

describe('describeSelection', () => {
  it('names a range, and own days by their dates', () => {
    expect(describeSelection({ range: '12m' })).toBe('the last 12 months');
    expect(
      describeSelection({ from: '2026-10-01', to: '2026-10-31' }).replaceAll('\u2009', ' '),
    ).toBe('Oct 1 – 31, 2026');
  });
});

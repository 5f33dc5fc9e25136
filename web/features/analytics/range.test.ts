import { describe, expect, it } from 'vitest';
import { makeReport } from '#web/testing/make-report.ts';
import {
  describeInRange,
  describeSelection,
  isYoung,
  labelOf,
  MAIN_RANGES,
  monthBefore,
  parseSelection,
  rangeParams,
  searchOf,
} from './range.ts';

const parse = (text: string) => parseSelection(new URLSearchParams(text));

describe('parseSelection', () => {
  it.each([
    ['', null],
    ['range=nonsense', null],
    ['range=constructor', null],
    ['range=12m', { range: '12m' }],
    ['from=2026-10-01&to=2026-10-31', { from: '2026-10-01', to: '2026-10-31' }],
    ['from=2026-10-01&to=2026-10-01', { from: '2026-10-01', to: '2026-10-01' }],
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
    const names = ['today', '24h', '7d', '30d', '90d', '12m', 'all'] as const;
    expect(names.map((range) => describeSelection({ range }))).toEqual([
      'today',
      'the last 24 hours',
      'the last 7 days',
      'the last 30 days',
      'the last 90 days',
      'the last 12 months',
      'all time',
    ]);
    expect(
      describeSelection({ from: '2026-10-01', to: '2026-10-31' }).replaceAll('\u2009', ' '),
    ).toBe('Oct 1 – 31, 2026');
  });
});

describe('describeInRange', () => {
  it('says when clicks were in a sentence', () => {
    const period = { from: '2026-11-21', to: '2026-11-21' };
    expect(describeInRange({ range: 'today', period })).toBe('today');
    expect(describeInRange({ range: '24h', period })).toBe('in the last 24 hours');
  });
});

describe('isYoung', () => {
  it('returns true for a link of less than 30 days', () => {
    expect(isYoung(makeReport({ created: '2026-10-22T10:20:00.001Z' }))).toBe(true);
    expect(isYoung(makeReport({ created: '2026-10-22T10:20:00Z' }))).toBe(false);
  });
});

describe('MAIN_RANGES', () => {
  it('the main ranges are labeled from a day to all time', () => {
    expect(MAIN_RANGES.map(labelOf)).toEqual(['24 h', '7 days', '30 days', '90 days', 'All']);
  });
});

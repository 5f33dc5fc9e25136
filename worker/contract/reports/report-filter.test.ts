import { describe, expect, it } from 'vitest';
import { canCombine, canFilterBy, FILTER_MAX, parseFilter } from './report-filter.ts';

describe('canCombine', () => {
  it.each([
    ['country', 'city', true],
    ['device', 'browser', true],
    ['device', 'country', true],
    ['country', 'device', true],
    ['referrer', 'country', true],
    ['country', 'referrer', true],
    ['browser', 'country', false],
    ['country', 'os', false],
    ['device', 'referrer', false],
    ['city', 'device', false],
  ] as const)('of %s and %s is %s', (a, b, together) => {
    expect(canCombine(a, b)).toBe(together);
  });
});

describe('parseFilter', () => {
  it.each([
    ['country:IN', { dimension: 'country', value: 'IN' }],
    ['referrer:localhost:3000', { dimension: 'referrer', value: 'localhost:3000' }],
    ['city:IN|KA|Bengaluru', { dimension: 'city', value: 'IN|KA|Bengaluru' }],
    ['city:Bengaluru', null],
    ['city:IN|KA|Bengaluru|x', null],
    ['browser:Other', null],
    ['city:IN|KA|Other', null],
    ['browser:', null],
    ['browser', null],
    ['toString:IN', null],
  ])('of %s', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
  });

  it('accepts no longer text than the maximum', () => {
    const longest = `browser:${'x'.repeat(FILTER_MAX - 'browser:'.length)}`;
    expect(parseFilter(longest)).toMatchObject({ dimension: 'browser' });
    expect(parseFilter(`${longest}x`)).toBeNull();
  });
});

describe('canFilterBy', () => {
  it.each([
    ['Chrome', true],
    ['Others', true],
    ['Other', false],
    ['IN|KA|Other', false],
  ])('of %s is %s', (value, can) => {
    expect(canFilterBy(value)).toBe(can);
  });
});

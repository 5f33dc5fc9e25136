import { describe, expect, it } from 'vitest';
import { findPrice, parsePrices, pricesOf } from './price-setting.ts';

describe('parsePrices', () => {
  it('is ₹500 a month where nothing is set', () => {
    const rupees = { currency: 'INR', free: '₹0', month: '₹500', year: null, saving: null };
    expect(parsePrices('')).toEqual([rupees]);
    expect(parsePrices('INR 500')).toEqual([rupees]);
    expect(pricesOf({})).toEqual([rupees]);
  });

  it('reads several currencies, with a price per year and what it saves', () => {
    expect(parsePrices(' USD 6/60 ,INR  12500/125000,  EUR 5.50/66')).toEqual([
      { currency: 'USD', free: '$0', month: '$6', year: '$60', saving: '16%' },
      { currency: 'INR', free: '₹0', month: '₹12,500', year: '₹1,25,000', saving: '16%' },
      { currency: 'EUR', free: '€0', month: '€5.50', year: '€66', saving: null },
    ]);
  });

  it.each([
    'USD',
    '6',
    'GBP 6',
    'usd 6',
    'USD 0',
    'USD 6/0',
    'USD -6',
    'USD 6.5',
    'USD 6/73',
    'USD 12345678',
    'USD 6, USD 7',
    'USD 6/60, EUR 5',
    'USD 6, EUR 5/50',
    'USD 6,',
    'USD 6; EUR 5',
    'toString 6',
  ])('offers nothing of %j, and ₹500 instead', (setting) => {
    expect(parsePrices(setting)).toBeNull();
    expect(pricesOf({ PRICES: setting }).map(({ month }) => month)).toEqual(['₹500']);
  });
});

describe('findPrice', () => {
  it('finds what was chosen, by default the first price per month', () => {
    const prices = pricesOf({ PRICES: 'USD 6/60, EUR 5/50' });
    expect(findPrice(prices, {})).toBe('$6');
    expect(findPrice(prices, { currency: 'EUR' })).toBe('€5');
    expect(findPrice(prices, { currency: 'EUR', period: 'year' })).toBe('€50');
    expect(findPrice(prices, { currency: 'INR' })).toBeNull();
    expect(findPrice(pricesOf({}), { period: 'year' })).toBeNull();
  });
});

import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { SiteConfig } from '#contract/pages/page-templates.ts';

const PRICES = [
  { currency: 'INR', free: '₹0', month: '₹500', year: '₹5,000', saving: '16%' },
  { currency: 'USD', free: '$0', month: '$6', year: '$60', saving: '16%' },
] as const;

afterEach(() => localStorage.clear());

/** The month that the offer names at a new visit, with that choice stored. */
async function atNextVisit(stored: string, prices: SiteConfig['prices'] = PRICES): Promise<string> {
  localStorage.setItem('hop-price', stored);
  vi.resetModules();
  const { config } = await import('#web/shared/page/config.ts');
  config.prices = prices;
  return (await import('./stored-price.ts')).storedPrice().month;
}

it('a choice of an earlier visit holds while the operator offers it', async () => {
  expect(await atNextVisit('USD year')).toBe('$6');
  for (const stored of ['EUR month', 'nothing', '', 'INR month']) {
    expect(await atNextVisit(stored)).toBe('₹500');
  }
});

it('a choice holds on all pages and at the next visit', async () => {
  await atNextVisit('');
  const { choosePrice } = await import('./price.ts');
  choosePrice({ price: PRICES[1] });
  choosePrice({ period: 'year' });
  expect(localStorage.getItem('hop-price')).toBe('USD year');
  choosePrice({ price: PRICES[0] });
  expect(localStorage.getItem('hop-price')).toBe('INR year');
  for (const [stored, period] of [
    ['USD year', 'year'],
    ['USD month', 'month'],
  ] as const) {
    await atNextVisit(stored);
    const { usePriceChoice } = await import('./price.ts');
    expect(renderHook(usePriceChoice).result.current).toEqual({ price: PRICES[1], period });
  }
  // The operator no longer offers a year.
  await atNextVisit('USD year', [{ ...PRICES[1], year: null }]);
  const { usePriceChoice } = await import('./price.ts');
  expect(renderHook(usePriceChoice).result.current?.period).toBe('month');
});

it('a price lasts as long as the page if the browser blocks storage', async () => {
  await atNextVisit('USD year');
  const { choosePrice, usePriceChoice } = await import('./price.ts');
  const storage = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Denied.', 'SecurityError');
  });
  const choice = () => renderHook(usePriceChoice).result.current;
  expect(choice()).toEqual({ price: PRICES[0], period: 'month' });
  act(() => choosePrice({ price: PRICES[1] }));
  expect(choice()).toEqual({ price: PRICES[1], period: 'month' });
  storage.mockRestore();
});

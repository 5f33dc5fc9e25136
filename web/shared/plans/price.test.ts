import { afterEach, expect, it, vi } from 'vitest';

const PRICES = [
  { currency: 'INR', free: '₹0', month: '₹500', year: '₹5,000', saving: '16%' },
  { currency: 'USD', free: '$0', month: '$6', year: '$60', saving: '16%' },
] as const;

afterEach(() => localStorage.clear());

/** The month that the offer names at a new visit, with that choice stored. */
async function atNextVisit(stored: string): Promise<string> {
  localStorage.setItem('hop-price', stored);
  vi.resetModules();
  const { config } = await import('#web/shared/page/config.ts');
  config.prices = PRICES;
  return (await import('./stored-price.ts')).storedPrice().month;
}

it('a choice of an earlier visit holds while the operator offers it', async () => {
  expect(await atNextVisit('USD year')).toBe('$6');
  for (const stored of ['EUR month', 'nothing', '', 'INR month']) {
    expect(await atNextVisit(stored)).toBe('₹500');
  }
});

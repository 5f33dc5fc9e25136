import { afterEach, expect, it, vi } from 'vitest';

const PRICES = [
  { currency: 'INR', free: '₹0', month: '₹500', year: '₹5,000', saving: '16%' },
  { currency: 'USD', free: '$0', month: '$6', year: '$60', saving: '16%' },
] as const;

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** The month that the offer names at a new visit, with that choice stored. */
async function atNextVisit(stored: string): Promise<string> {
  localStorage.setItem('hop-price', stored);
  vi.resetModules();
  const { config } = await import('./config.ts');
  config.prices = PRICES;
  return (await import('./price.tsx')).currentPrice().month;
}

it('a choice of an earlier visit holds while the operator offers it', async () => {
  expect(await atNextVisit('USD year')).toBe('$6');
  for (const stored of ['EUR month', 'nothing', '', 'INR']) {
    expect(await atNextVisit(stored)).toBe('₹500');
  }
});

it('a browser without storage shows the first price', async () => {
  vi.stubGlobal('localStorage', {
    setItem: () => undefined,
    clear: () => undefined,
    getItem: () => {
      throw new Error('blocked');
    },
  });
  expect(await atNextVisit('USD year')).toBe('₹500');
});

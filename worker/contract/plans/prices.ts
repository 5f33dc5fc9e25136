import type { Currency } from './currencies.ts';

/**
 * What the plans cost in one currency. The Worker formats the amounts, so all pages show the same.
 * `year` is null if Premium is billed by month only, and `saving` ('16%') if a year saves nothing.
 */
export type Price = {
  currency: Currency;
  free: string;
  month: string;
  year: string | null;
  saving: string | null;
};

/** What Premium costs where PRICES is not set. */
export const DEFAULT_PRICE: Price = {
  currency: 'INR',
  free: '₹0',
  month: '₹500',
  year: null,
  saving: null,
};

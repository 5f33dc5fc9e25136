/** The currencies in which an operator can price Premium, with the sign before an amount. */
export const CURRENCIES = {
  INR: { sign: '₹', name: 'Indian rupees' },
  USD: { sign: '$', name: 'US dollars' },
  EUR: { sign: '€', name: 'Euros' },
} as const;
export type Currency = keyof typeof CURRENCIES;
export const PERIODS = ['month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

/**
 * What the plans cost in one currency, as the pages show it: the Worker writes amounts out once.
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

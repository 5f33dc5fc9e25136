/** The currencies in which an operator can price Premium, with the sign before an amount. */
export const CURRENCY_CODES = ['INR', 'USD', 'EUR'] as const;
export type Currency = (typeof CURRENCY_CODES)[number];
export const CURRENCIES = {
  INR: { sign: '₹', name: 'Indian rupees' },
  USD: { sign: '$', name: 'US dollars' },
  EUR: { sign: '€', name: 'Euros' },
} as const satisfies Record<Currency, { sign: string; name: string }>;
export const BILLING_PERIODS = ['month', 'year'] as const;
export type BillingPeriod = (typeof BILLING_PERIODS)[number];

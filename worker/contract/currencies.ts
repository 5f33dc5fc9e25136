/** The currencies in which an operator can price Premium, with the sign before an amount. */
export const CURRENCIES = {
  INR: { sign: '₹', name: 'Indian rupees' },
  USD: { sign: '$', name: 'US dollars' },
  EUR: { sign: '€', name: 'Euros' },
} as const;
export type Currency = keyof typeof CURRENCIES;
export const PERIODS = ['month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

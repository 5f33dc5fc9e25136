import type { Price } from '#contract/plans/prices.ts';
import { config } from '#web/shared/page/config.ts';

/** The currency and the period that the visitor chose: 'USD year'. */
export const PRICE_KEY = 'hop-price';

/** The price in the currency of an earlier visit, if the operator still offers it. */
export const storedPrice = (): Price =>
  config.prices.find(({ currency }) => localStorage.getItem(PRICE_KEY)?.startsWith(currency)) ??
  config.prices[0];

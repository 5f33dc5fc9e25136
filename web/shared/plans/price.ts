import { useEffect } from 'react';
import type { BillingPeriod } from '#contract/plans/currencies.ts';
import type { Price } from '#contract/plans/prices.ts';
import { config } from '#web/shared/page/config.ts';
import { createStore } from '#web/ui/create-store.ts';
import { PRICE_KEY, storedPrice } from './stored-price.ts';

type PriceChoice = { price: Price; period: BillingPeriod };

/** Null until the page has its first paint, which shows the first currency to everyone. */
const chosen = createStore<PriceChoice | null>(null);

/** The choice of an earlier visit, as far as the operator still offers it. */
function storedChoice(): PriceChoice {
  try {
    const price = storedPrice();
    const isYearly = price.year !== null && localStorage.getItem(PRICE_KEY)?.endsWith('year');
    return { price, period: isYearly === true ? 'year' : 'month' };
  } catch {
    // A browser that blocks storage has stored nothing.
    return { price: config.prices[0], period: 'month' };
  }
}

/** The currency and the period that the visitor chose, on all pages and in later visits. */
export function usePriceChoice(): PriceChoice | null {
  useEffect(() => {
    if (chosen.get() === null) chosen.set(storedChoice());
  }, []);
  return chosen.use();
}

export function choosePrice(change: Partial<PriceChoice>): void {
  const next = { ...(chosen.get() ?? storedChoice()), ...change };
  chosen.set(next);
  try {
    localStorage.setItem(PRICE_KEY, `${next.price.currency} ${next.period}`);
  } catch {
    // The browser blocks storage, so the choice lasts as long as the page.
  }
}

export const usePrice = (): Price => usePriceChoice()?.price ?? config.prices[0];

import { useEffect } from 'react';
import { PERIODS, type Period, type Price } from '#contract/prices.ts';
import { When } from './block.tsx';
import { config } from './config.ts';
import { createStore } from './create-store.ts';

type Choice = { price: Price; period: Period };

const KEY = 'hop-price';

/** The choice of an earlier visit, as far as the operator still offers it. */
function readChoice(): Choice {
  const [currency, period] = readStored().split(' ');
  const price = config.prices.find((one) => one.currency === currency) ?? config.prices[0];
  const known = PERIODS.find((one) => one === period) ?? 'month';
  return { price, period: price.year === null ? 'month' : known };
}

function readStored(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** Null until the page has its first paint, which shows the first currency to everyone. */
const chosen = createStore<Choice | null>(null);

/** The currency and the period that the visitor chose, on all pages and in later visits. */
export function usePriceChoice(): Choice | null {
  useEffect(() => {
    if (chosen.get() === null) chosen.set(readChoice());
  }, []);
  return chosen.use();
}

export function choosePrice(change: Partial<Choice>): void {
  const next = { ...(chosen.get() ?? readChoice()), ...change };
  chosen.set(next);
  try {
    localStorage.setItem(KEY, `${next.price.currency} ${next.period}`);
  } catch {
    // The choice holds until the page is left.
  }
}

/** The price in the chosen currency, outside of components. */
export const currentPrice = (): Price => (chosen.get() ?? readChoice()).price;

export const usePrice = (): Price => usePriceChoice()?.price ?? config.prices[0];

/** 'Premium is ₹500 per month, billed monthly, or ₹5,000 per year', from 'per month' on. */
export function PriceSentence() {
  const price = usePrice();
  return (
    <>
      {price.month} per month, billed monthly
      <When setting="yearly">, or {price.year} per year</When>
    </>
  );
}

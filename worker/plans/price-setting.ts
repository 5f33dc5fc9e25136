import { formatNumber, LANGUAGE, numberFormat } from '#contract/language.ts';
import { CURRENCIES, type Currency, type BillingPeriod } from '#contract/plans/currencies.ts';
import { DEFAULT_PRICE, type Price } from '#contract/plans/prices.ts';

const PRICE = /^([A-Z]{3}) (\d{1,7}(?:\.\d{2})?)(?:\/(\d{1,8}(?:\.\d{2})?))?$/;
/** 1234567 → '12,34,567', as India groups digits. */
const formatIndian = numberFormat({}, `${LANGUAGE}-IN`);
const formatCents = numberFormat({ minimumFractionDigits: 2 });

const isCurrency = (text: string | undefined): text is Currency =>
  text !== undefined && text in CURRENCIES;

/** Amounts are in hundredths, so that no sum of them is rounded. */
function amountText(currency: Currency, hundredths: number): string {
  const format =
    hundredths % 100 !== 0 ? formatCents : currency === 'INR' ? formatIndian : formatNumber;
  return CURRENCIES[currency].sign + format(hundredths / 100);
}

function savingText(month: number, year: number): string | null {
  const percent = Math.floor((1 - year / (12 * month)) * 100);
  return percent > 0 ? `${percent}%` : null;
}

function parsePrice(text: string): Price | null {
  const [, currency, month, year] = PRICE.exec(text) ?? [];
  if (!isCurrency(currency)) return null;
  const perMonth = Math.round(Number(month) * 100);
  const perYear = year === undefined ? null : Math.round(Number(year) * 100);
  if (perMonth === 0 || perYear === 0 || (perYear ?? 0) > 12 * perMonth) return null;
  return {
    currency,
    free: amountText(currency, 0),
    month: amountText(currency, perMonth),
    year: perYear === null ? null : amountText(currency, perYear),
    saving: perYear === null ? null : savingText(perMonth, perYear),
  };
}

/** The first price is the one that is shown until somebody chooses another currency. */
type Prices = readonly [Price, ...Price[]];

/**
 * Parses PRICES, such as 'INR 500/5000, USD 6/60': per month, and per year for all currencies or
 * for none. Null if any of it is wrong: no part of it is then offered.
 */
export function parsePrices(setting: string): Prices | null {
  if (setting.trim() === '') return [DEFAULT_PRICE];
  const prices: Price[] = [];
  for (const text of setting.split(',')) {
    const price = parsePrice(text.trim().replaceAll(/\s+/g, ' '));
    if (price === null || prices.some(({ currency }) => currency === price.currency)) return null;
    prices.push(price);
  }
  const [first, ...others] = prices;
  if (first === undefined) return null;
  const isYearly = first.year !== null;
  return others.some(({ year }) => (year !== null) !== isYearly) ? null : [first, ...others];
}

/** A configuration that the deploy command has not checked may be wrong or lack PRICES. */
export const pricesOf = (env: { PRICES?: string }): Prices =>
  parsePrices(env.PRICES ?? '') ?? [DEFAULT_PRICE];

/** The price that somebody chose, as the pages show it; null if it is not offered. */
export function findPrice(
  prices: Prices,
  {
    currency = prices[0].currency,
    period = 'month',
  }: { currency?: Currency | undefined; period?: BillingPeriod | undefined },
): string | null {
  return prices.find((price) => price.currency === currency)?.[period] ?? null;
}

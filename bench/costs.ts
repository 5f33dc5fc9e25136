import { CPU_MS_PER_INVOCATION, priceOf, type Priced } from '#scripts/prices.ts';
import { measureWindows } from './windows.ts';

/**
 * A table of what a million redirects cost at list price: with one queue message per click, and
 * with windows of `windowMs` milliseconds. `rows`: rows of D1 written per click.
 */
export function costTable(windowMs: number, rows: number): string {
  const million = (name: Priced, perClick: number): number => priceOf(name, perClick * 1_000_000);
  /** `kvReads`: the share of redirects that read KV, 1 without the isolate's memory. */
  const line = (name: string, messages: number, operations: number, kvReads: number): string => {
    const total =
      million('requests', 1) +
      million('cpuMs', CPU_MS_PER_INVOCATION) +
      million('kvReads', kvReads) +
      million('queueOperations', operations) +
      million('rowsWritten', rows);
    return `| ${name} | ${messages.toFixed(3)} | ${operations.toFixed(3)} M | $${total.toFixed(2)} |`;
  };
  const windows = (name: string, rate: number, kvReads: number): string => {
    const { messagesPerClick, operationsPerClick } = measureWindows(rate, windowMs);
    return line(name, messagesPerClick, operationsPerClick, kvReads);
  };
  return [
    '| redirects/s in one isolate | messages per click | queue operations per million | list price per million |',
    '|---|---|---|---|',
    line('any, one message per click', 1, 3, 1),
    ...[1, 10, 100].map((rate) => windows(`${rate}, windows of ${windowMs} ms`, rate, 1)),
    windows(`100, with a popular link in memory`, 100, 0.1),
  ].join('\n');
}

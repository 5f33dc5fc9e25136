/** List prices per million, in US dollars, beyond what a paid plan includes (late 2026). */
const PRICE = { request: 0.3, cpu: 0.04, kvRead: 0.5, queueOperation: 0.4, rowWritten: 1 };
/** A message is written, read and deleted: three operations up to 64 KB. */
const OPERATIONS_PER_MESSAGE = 3;

/** Queue messages per click of one isolate at `rate` clicks per second: the first click opens a window of `windowMs`. */
export const messagesPerClick = (rate: number, windowMs: number): number => 1 / (1 + rate * (windowMs / 1000));

/**
 * A table of what a million redirects cost at list price: with one queue message per click, and with windows of `windowMs`
 * milliseconds. `rows`: rows of D1 written per click.
 */
export function costTable(windowMs: number, rows: number): string {
  /** `kvReads`: the share of redirects that read KV, 1 without the isolate's memory. */
  const line = (name: string, perClick: number, kvReads: number): string => {
    const operations = perClick * OPERATIONS_PER_MESSAGE;
    const total =
      PRICE.request + PRICE.cpu + kvReads * PRICE.kvRead + operations * PRICE.queueOperation + rows * PRICE.rowWritten;
    return `| ${name} | ${perClick.toFixed(3)} | ${operations.toFixed(3)} M | $${total.toFixed(2)} |`;
  };
  return [
    '| redirects/s in one isolate | messages per click | queue operations per million | list price per million |',
    '|---|---|---|---|',
    line('any, one message per click', 1, 1),
    ...[1, 10, 100].map((rate) => line(`${rate}, windows of ${windowMs} ms`, messagesPerClick(rate, windowMs), 1)),
    line(`100, with a popular link in memory`, messagesPerClick(100, windowMs), 0.1),
  ].join('\n');
}

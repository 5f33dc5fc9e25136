/**
 * What the length of a click window costs and risks: `node bench/windows.ts`. Drives Hop's own
 * click buffer with random arrivals at a steady rate in one isolate, on a simulated clock, and
 * counts its messages and the clicks it holds.
 */
import { createClickBuffer, toMessage } from '#worker/redirect/click-window.ts';
import type { ClickEvent } from '#worker/redirect/click-event.ts';
import { priceOf, queueOperations } from '#scripts/prices.ts';

export type WindowFigures = {
  messagesPerClick: number;
  /** Queue operations per click: a large message counts more than once. */
  operationsPerClick: number;
  /** Mean number of clicks in memory: what is lost if the isolate dies without warning. */
  held: number;
};

const CLICKS = 20_000;
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The figures of windows of `windowMs` in an isolate with `rate` clicks per second. */
export function measureWindows(rate: number, windowMs: number, clicks = CLICKS): WindowFigures {
  const buffer = createClickBuffer();
  let now = 1_800_000_000_000;
  let seed = 1;
  let messages = 0;
  let operations = 0;
  let heldMs = 0;
  let open: number[] = [];
  let endsAt = Infinity;
  const deliver = (window: Parameters<typeof toMessage>[0] | null, at: number): void => {
    if (window === null) return;
    messages++;
    operations += queueOperations(JSON.stringify(toMessage(window)).length);
    buffer.release(window);
    for (const t of open) heldMs += at - t;
    open = [];
  };
  const start = now;
  for (let n = 0; n < clicks; n++) {
    // A generator of its own, so that every run prints the same.
    seed = (seed * 48_271) % 2_147_483_647;
    now += (-Math.log(seed / 2_147_483_647) * 1000) / rate;
    if (endsAt <= now) {
      deliver(buffer.close(), endsAt);
      endsAt = Infinity;
    }
    const event: ClickEvent = {
      l: 1,
      t: now,
      ua: AGENT,
      r: 'www.example.com',
      c: 'DE',
      g: 'Hesse',
      y: 'Frankfurt',
      k: 'v'.repeat(16),
    };
    open.push(now);
    const delivery = buffer.add({ event, address: '' }, windowMs);
    if (delivery === null) continue;
    if ('window' in delivery) deliver(delivery.window, now);
    else endsAt = now + delivery.waitMs;
  }
  deliver(buffer.close(), Math.min(endsAt, now + windowMs));
  return {
    messagesPerClick: messages / clicks,
    operationsPerClick: operations / clicks,
    held: heldMs / (now - start),
  };
}

/**
 * A table of window lengths: what they cost, and how many of a million clicks are lost if every
 * isolate dies once an hour.
 */
export function windowTable(): string {
  const RATES = [0.1, 1, 10, 100];
  const cells = (ms: number): string[] =>
    RATES.map((rate) => {
      const { messagesPerClick, operationsPerClick, held } = measureWindows(rate, ms);
      const lost = (held / (rate * 3_600)) * 1_000_000;
      return `${messagesPerClick.toFixed(3)}, $${priceOf('queueOperations', operationsPerClick * 1_000_000).toFixed(2)}, ${lost.toFixed(0)}`;
    });
  return [
    `| window | ${RATES.map((rate) => `${rate} clicks/s in one isolate`).join(' | ')} |`,
    `|---|${RATES.map(() => '---').join('|')}|`,
    ...[50, 200, 500, 1_000, 2_000, 5_000].map((ms) => `| ${ms} ms | ${cells(ms).join(' | ')} |`),
  ].join('\n');
}

if (import.meta.main) console.log(windowTable());

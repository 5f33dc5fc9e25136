import { maxEventBytes, type ClickWindow, type PendingClick } from './click-event.ts';

/** A queue message may have 128,000 bytes, some of which the platform uses. */
const MAX_WINDOW_BYTES = 100_000;
const MAX_WINDOW_CLICKS = 400;
/** All windows of this isolate that are not delivered yet. A queue that hangs at 3,000 clicks a second reaches this. */
const MAX_PENDING_BYTES = 16_000_000;
/** If the request that should have closed a window was cancelled, the next click closes it after this long. */
const OVERDUE_MS = 500;

/** Clicks that are sent together. The id stays the same through every retry and fallback, so that they count once. */
export type OpenWindow = { id: string; openedAt: number; clicks: PendingClick[]; bytes: number; isClaimed: boolean };

/** A window that the calling request has to deliver, after `waitMs` milliseconds, within its own `waitUntil`. */
export type Delivery = { window: OpenWindow; waitMs: number };

export type ClickBuffer = ReturnType<typeof createClickBuffer>;

/**
 * Collects the clicks of one isolate in windows. The request that opens a window delivers it when its time is over; the
 * other requests only add plain data. The request that fills a window delivers it at once.
 */
export function createClickBuffer() {
  let current: OpenWindow | null = null;
  let pendingBytes = 0;
  let dropped = 0;

  return {
    /**
     * Adds a click to a window of `windowMs` milliseconds. The caller delivers what is returned, if anything. When the
     * memory limit is reached, clicks are dropped and only their number is kept.
     */
    add(click: PendingClick, windowMs: number): Delivery | null {
      const bytes = maxEventBytes(click.event);
      if (pendingBytes + bytes > MAX_PENDING_BYTES) {
        dropped++;
        return null;
      }
      pendingBytes += bytes;
      const now = click.event.t;
      if (current === null) {
        current = { id: crypto.randomUUID(), openedAt: now, clicks: [click], bytes, isClaimed: false };
        return { window: current, waitMs: windowMs };
      }
      const window = current;
      window.clicks.push(click);
      window.bytes += bytes;
      const isFull = window.clicks.length >= MAX_WINDOW_CLICKS || window.bytes >= MAX_WINDOW_BYTES;
      if (!isFull && now - window.openedAt <= windowMs + OVERDUE_MS) return null;
      current = null;
      return { window, waitMs: 0 };
    },

    /** Claims a window for delivery. True once: the request that opened it and the one that filled it may both try. */
    claim(window: OpenWindow): boolean {
      if (window.isClaimed) return false;
      window.isClaimed = true;
      if (current === window) current = null;
      return true;
    },

    /** Frees a window's share of the memory limit. Returns the number of clicks dropped since the last call. */
    release(window: OpenWindow): number {
      pendingBytes -= window.bytes;
      const count = dropped;
      dropped = 0;
      return count;
    },

    pendingBytes: () => pendingBytes,
  };
}

/** The queue message of a window whose clicks have their visitor ids. */
export function toMessage(window: OpenWindow): ClickWindow {
  return { v: 1, id: window.id, e: window.clicks.map((click) => click.event) };
}

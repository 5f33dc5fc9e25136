import { maxEventBytes, type ClickWindow, type PendingClick } from './click-event.ts';

/** A queue message may have 128,000 bytes, and the platform uses some of them. */
const MAX_WINDOW_BYTES = 100_000;
const MAX_WINDOW_CLICKS = 400;
/**
 * The most bytes of all windows of this isolate that are not delivered yet. A queue that hangs at
 * 3,000 clicks a second reaches this.
 */
const MAX_PENDING_BYTES = 16_000_000;
/**
 * How late the waiting request may be before it counts as cancelled, in ms. In a busy isolate a
 * timer is late, and a second waiting request would split the window into two messages.
 */
const MAX_LATENESS_MS = 500;
/**
 * An isolate that has seen no click for this long, in ms, sends the next one at once, so that the
 * owner of a new link soon sees its first click. It can cost a message more when another click
 * follows within the window: at most 1.3 % more messages, at two clicks a minute.
 */
export const PAUSE_MS = 30_000;

/**
 * Clicks that are sent together. The id is the same in every retry and fallback, so that they count
 * once.
 */
export type OpenWindow = { id: string; clicks: PendingClick[]; bytes: number };

/**
 * The delivery that a request makes in its `waitUntil`: a window now, or the open one in `waitMs`
 * milliseconds.
 */
export type WindowDelivery = { window: OpenWindow } | { waitMs: number };

export type ClickBuffer = ReturnType<typeof createClickBuffer>;

/**
 * Collects the clicks of one isolate in windows. One request at a time waits and then delivers the
 * open window; the others only add plain data. The request that fills a window delivers it at once,
 * and so does the first one after a pause. A waiting request keeps its connection busy, so a busy
 * isolate must not have one for each window.
 */
export function createClickBuffer() {
  let current: OpenWindow | null = null;
  /**
   * Until when a request waits to deliver, in ms since 1970. If it was cancelled, the first click
   * after this time waits instead.
   */
  let waitsUntil = 0;
  let lastClickAt = Number.NEGATIVE_INFINITY;
  let pendingBytes = 0;
  let dropped = 0;

  return {
    /**
     * Adds a click to a window of `windowMs` milliseconds. The caller makes the delivery that is
     * returned, if any. When the memory limit is reached, clicks are dropped and only their number
     * is kept.
     */
    add(click: PendingClick, windowMs: number): WindowDelivery | null {
      const bytes = maxEventBytes(click.event);
      if (pendingBytes + bytes > MAX_PENDING_BYTES) {
        dropped++;
        return null;
      }
      pendingBytes += bytes;
      const now = click.event.t;
      const isAfterPause = current === null && now - lastClickAt >= PAUSE_MS;
      lastClickAt = now;
      const window = (current ??= { id: newWindowId(), clicks: [], bytes: 0 });
      window.clicks.push(click);
      window.bytes += bytes;
      const isFull = window.clicks.length >= MAX_WINDOW_CLICKS || window.bytes >= MAX_WINDOW_BYTES;
      if (isAfterPause || isFull) {
        current = null;
        return { window };
      }
      // A clock that was set back must not stop deliveries until it has caught up.
      const latestDelivery = now + windowMs + MAX_LATENESS_MS;
      if (now < waitsUntil && waitsUntil <= latestDelivery) return null;
      waitsUntil = latestDelivery;
      return { waitMs: windowMs };
    },

    /**
     * Closes the open window and returns it, or null if none is open. The waiting request calls it
     * when its time is over.
     */
    close(): OpenWindow | null {
      const window = current;
      current = null;
      waitsUntil = 0;
      return window;
    },

    /**
     * Frees a window's share of the memory limit. Returns the number of clicks dropped since the
     * last call.
     */
    release(window: OpenWindow): number {
      pendingBytes -= window.bytes;
      const count = dropped;
      dropped = 0;
      return count;
    },

    pendingBytes: () => pendingBytes,
  };
}

/**
 * 96 random bits as 16 characters. A UUID is 20 characters longer, and D1 stores the id for 15
 * days.
 */
const newWindowId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))));

export function toMessage(window: OpenWindow): ClickWindow {
  return { v: 1, id: window.id, e: window.clicks.map((click) => click.event) };
}

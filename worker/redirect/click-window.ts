import { eventBytes, type ClickWindow, type RawClick } from './click-event.ts';

/** A queue message may have 128,000 bytes, some of them the platform's own. */
const WINDOW_BYTES = 100_000;
const WINDOW_CLICKS = 400;
/** Of all windows of this isolate that are not delivered yet. With the queue hanging at 3,000 clicks a second this is reached. */
const PENDING_BYTES = 16_000_000;
/** Where the request that should have closed a window died, the next click closes it. */
const OVERDUE_MS = 500;

/** Clicks that travel together. The id stays the same through every retry and fallback, so that they count once. */
export type OpenWindow = { id: string; openedAt: number; clicks: RawClick[]; bytes: number; taken: boolean };

/** A window that the calling request has to deliver, after `waitMs`, within its own `waitUntil`. */
export type Delivery = { window: OpenWindow; waitMs: number };

export type ClickBuffer = ReturnType<typeof createClickBuffer>;

/**
 * Collects the clicks of one isolate into windows. The request that opens a window delivers it when its time is over;
 * the others only push plain data. A full window is delivered at once by the request that filled it.
 */
export function createClickBuffer() {
  let current: OpenWindow | null = null;
  let pendingBytes = 0;
  let lost = 0;

  return {
    /** Adds a click; what is returned, the caller delivers. Beyond the memory's bound clicks are only counted, as lost. */
    add(click: RawClick, windowMs: number): Delivery | null {
      const bytes = eventBytes(click.event);
      if (pendingBytes + bytes > PENDING_BYTES) {
        lost++;
        return null;
      }
      pendingBytes += bytes;
      const now = click.event.t;
      if (current === null) {
        current = { id: crypto.randomUUID(), openedAt: now, clicks: [click], bytes, taken: false };
        return { window: current, waitMs: windowMs };
      }
      const window = current;
      window.clicks.push(click);
      window.bytes += bytes;
      const full = window.clicks.length >= WINDOW_CLICKS || window.bytes >= WINDOW_BYTES;
      if (!full && now - window.openedAt <= windowMs + OVERDUE_MS) return null;
      current = null;
      return { window, waitMs: 0 };
    },

    /** Takes a window for delivery, once: its opener and the request that filled it may both come. */
    take(window: OpenWindow): boolean {
      if (window.taken) return false;
      window.taken = true;
      if (current === window) current = null;
      return true;
    },

    /** Gives a window's memory back. Returns the clicks lost to the bound since the last call. */
    done(window: OpenWindow): number {
      pendingBytes -= window.bytes;
      const count = lost;
      lost = 0;
      return count;
    },

    pendingBytes: () => pendingBytes,
  };
}

/** The queue message of a window whose visitors have been marked. */
export function toMessage(window: OpenWindow): ClickWindow {
  return { v: 1, id: window.id, e: window.clicks.map((click) => click.event) };
}

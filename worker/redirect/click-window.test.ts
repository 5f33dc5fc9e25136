import { describe, expect, it } from 'vitest';
import type { PendingClick } from './click-event.ts';
import { createClickBuffer, toMessage, type ClickBuffer, type OpenWindow } from './click-window.ts';

const NOW = 1_800_000_000_000;
const click = (t = NOW, ua = 'Mozilla/5.0', city = ''): PendingClick => ({
  event: { l: 1, t, ua, r: '', c: 'IN', g: '', y: city, k: '' },
  address: '203.0.113.1',
});
/** A buffer that has just had a click, so that the next one is not the first after a pause. */
function busyBuffer(): ClickBuffer {
  const buffer = createClickBuffer();
  const delivery = buffer.add(click(NOW - 1), 200);
  if (delivery !== null && 'window' in delivery) buffer.release(delivery.window);
  return buffer;
}
const bytesOf = (window: OpenWindow) =>
  new TextEncoder().encode(JSON.stringify(toMessage(window))).length;

/** Adds clicks until one fills a window, and returns that window. */
function fill(buffer: ClickBuffer, one = click()): OpenWindow {
  for (let i = 0; i < 1000; i++) {
    const delivery = buffer.add(one, 200);
    if (delivery !== null && 'window' in delivery) return delivery.window;
  }
  throw new Error('1,000 clicks did not fill a window.');
}

describe('a click window', () => {
  it('a window is closed by the click that opens it', () => {
    const buffer = busyBuffer();
    expect(buffer.add(click(), 200)).toEqual({ waitMs: 200 });
    for (let i = 1; i < 50; i++) expect(buffer.add(click(NOW + i), 200)).toBeNull();
    const window = buffer.close();
    expect(window?.clicks).toHaveLength(50);
    expect(buffer.close()).toBeNull();
    expect(buffer.add(click(NOW + 199), 200)).toEqual({ waitMs: 200 });
    expect(buffer.close()?.id).not.toBe(window?.id);
  });

  it('the first click after a pause is delivered alone, the next ones together', () => {
    const buffer = createClickBuffer();
    for (const start of [NOW, NOW + 30_000 + 10]) {
      const first = buffer.add(click(start), 200);
      expect(first).toEqual({ window: expect.objectContaining({ clicks: [click(start)] }) });
      expect(buffer.close()).toBeNull();
      expect(buffer.add(click(start + 5), 200)).toEqual({ waitMs: 200 });
      expect(buffer.add(click(start + 10), 200)).toBeNull();
      expect(buffer.close()?.clicks).toHaveLength(2);
    }
    expect(buffer.add(click(NOW + 2 * 30_000 + 19), 200)).toEqual({ waitMs: 200 });
  });

  it('a full window is delivered at once, and only once', () => {
    const buffer = busyBuffer();
    const window = fill(buffer);
    expect(window.clicks).toHaveLength(400);
    expect(buffer.close()).toBeNull();
  });

  it('a window is closed by a request that already waits, if one does', () => {
    const buffer = busyBuffer();
    const first = fill(buffer);
    expect(buffer.add(click(NOW + 50), 200)).toBeNull();
    const second = buffer.close();
    expect(second?.clicks).toHaveLength(1);
    expect(second?.id).not.toBe(first.id);
  });

  it('a window never exceeds the size of a queue message', () => {
    for (const [ua, city] of [
      ['a', 'São Paulo'],
      ['x'.repeat(400), ''],
      ['x'.repeat(400), '\u0001'.repeat(60)],
      ['y', '東'.repeat(60)],
    ]) {
      const buffer = busyBuffer();
      const window = fill(buffer, click(NOW, ua, city));
      for (const one of window.clicks) one.event.k = 'x'.repeat(16);
      expect(bytesOf(window)).toBeLessThan(120_000);
      expect(window.clicks.length).toBeGreaterThan(50);
    }
  });

  it('a later click closes a window whose waiting request was cancelled', () => {
    const buffer = busyBuffer();
    buffer.add(click(), 200);
    expect(buffer.add(click(NOW + 5_000), 200)).toEqual({ waitMs: 200 });
    expect(buffer.close()?.clicks).toHaveLength(2);
  });

  it('a window keeps its waiting request if the timer of a busy isolate is late', () => {
    const buffer = busyBuffer();
    buffer.add(click(), 200);
    expect(buffer.add(click(NOW + 600), 200)).toBeNull();
    expect(buffer.add(click(NOW + 700), 200)).toEqual({ waitMs: 200 });
  });

  it('a window closes in time if the clock is set back', () => {
    const buffer = busyBuffer();
    buffer.add(click(), 200);
    expect(buffer.add(click(NOW - 60_000), 200)).toEqual({ waitMs: 200 });
  });

  it('a window drops and counts clicks beyond the memory limit, and recovers', () => {
    const buffer = busyBuffer();
    const windows: OpenWindow[] = [];
    for (let i = 0; i < 100_000; i++) {
      const delivery = buffer.add(click(NOW, 'x'.repeat(300)), 200);
      if (delivery !== null && 'window' in delivery) windows.push(delivery.window);
    }
    expect(buffer.pendingBytes()).toBeLessThanOrEqual(16_000_000);
    const open = buffer.close();
    if (open !== null) windows.push(open);
    const kept = windows.reduce((sum, window) => sum + window.clicks.length, 0);
    let lost = 0;
    for (const window of windows) lost += buffer.release(window);
    expect(kept + lost).toBe(100_000);
    expect(lost).toBeGreaterThan(0);
    expect(buffer.pendingBytes()).toBe(0);
  });
});

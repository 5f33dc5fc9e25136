import { describe, expect, it } from 'vitest';
import type { PendingClick } from './click-event.ts';
import { createClickBuffer, toMessage, type Delivery } from './click-window.ts';

const NOW = 1_800_000_000_000;
const click = (t = NOW, ua = 'Mozilla/5.0', city = ''): PendingClick => ({
  event: { l: 1, t, ua, r: '', c: 'IN', g: '', y: city, k: '' },
  address: '203.0.113.1',
});
const bytesOf = ({ window }: Delivery) => new TextEncoder().encode(JSON.stringify(toMessage(window))).length;

describe('a click window', () => {
  it('is delivered by the click that opens it', () => {
    const buffer = createClickBuffer();
    const opened = buffer.add(click(), 200);
    expect(opened?.waitMs).toBe(200);
    for (let i = 1; i < 50; i++) expect(buffer.add(click(NOW + i), 200)).toBeNull();
    expect(opened?.window.clicks).toHaveLength(50);
    expect(opened && buffer.claim(opened.window)).toBe(true);
    const next = buffer.add(click(NOW + 201), 200);
    expect(next?.window.id).not.toBe(opened?.window.id);
  });

  it('is delivered at once when it is full, and only once', () => {
    const buffer = createClickBuffer();
    const opened = buffer.add(click(), 200);
    let filled: Delivery | null = null;
    for (let i = 0; filled === null; i++) {
      expect(i).toBeLessThan(1000);
      filled = buffer.add(click(), 200);
    }
    expect(filled.window).toBe(opened?.window);
    expect(filled.waitMs).toBe(0);
    expect(buffer.claim(filled.window)).toBe(true);
    expect(opened && buffer.claim(opened.window)).toBe(false);
    expect(buffer.add(click(), 200)?.waitMs).toBe(200);
  });

  it('never exceeds the size of a queue message', () => {
    for (const [ua, city] of [
      ['a', ''],
      ['x'.repeat(400), ''],
      ['x'.repeat(400), '\u0001'.repeat(60)],
      ['y', '東'.repeat(60)],
    ]) {
      const buffer = createClickBuffer();
      let filled: Delivery | null = buffer.add(click(NOW, ua, city), 200);
      do filled = buffer.add(click(NOW, ua, city), 200);
      while (filled === null);
      for (const one of filled.window.clicks) one.event.k = 'x'.repeat(16);
      expect(bytesOf(filled)).toBeLessThan(120_000);
      expect(filled.window.clicks.length).toBeGreaterThan(50);
    }
  });

  it('is closed by the next click if its request was cancelled', () => {
    const buffer = createClickBuffer();
    const opened = buffer.add(click(), 200);
    const later = buffer.add(click(NOW + 5_000), 200);
    expect(later?.window).toBe(opened?.window);
    expect(later?.waitMs).toBe(0);
    expect(later?.window.clicks).toHaveLength(2);
  });

  it('drops and counts clicks beyond the memory limit, and recovers', () => {
    const buffer = createClickBuffer();
    const windows: Delivery[] = [];
    for (let i = 0; i < 100_000; i++) {
      const delivery = buffer.add(click(NOW, 'x'.repeat(300)), 200);
      if (delivery !== null) windows.push(delivery);
    }
    expect(buffer.pendingBytes()).toBeLessThanOrEqual(16_000_000);
    const held = new Set(windows.map(({ window }) => window));
    const kept = [...held].reduce((sum, window) => sum + window.clicks.length, 0);
    let lost = 0;
    for (const window of held) lost += buffer.release(window);
    expect(kept + lost).toBe(100_000);
    expect(lost).toBeGreaterThan(0);
    expect(buffer.pendingBytes()).toBe(0);
  });
});

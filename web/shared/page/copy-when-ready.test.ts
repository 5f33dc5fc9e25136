import { afterEach, describe, expect, it, vi } from 'vitest';
import { copyWhenReady } from './copy-when-ready.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

class Item {
  readonly data: Record<string, Promise<Blob>>;
  constructor(data: Record<string, Promise<Blob>>) {
    this.data = data;
  }
}

describe('copyWhenReady', () => {
  it('starts to write before the text has arrived', async () => {
    vi.stubGlobal('ClipboardItem', Item);
    const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue(undefined);
    let arrive: (text: string) => void = () => undefined;
    const copied = copyWhenReady(new Promise((resolve) => (arrive = resolve)));
    expect(write).toHaveBeenCalledOnce();
    arrive('https://hop.example/abc');
    expect(await copied).toBe(true);
    const [item]: unknown[] = write.mock.calls[0]?.[0] ?? [];
    const blob = item instanceof Item ? await item.data['text/plain'] : undefined;
    expect(await blob?.text()).toBe('https://hop.example/abc');
  });

  it('copies the text in a browser that cannot wait for it', async () => {
    vi.stubGlobal('ClipboardItem', undefined);
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined);
    expect(await copyWhenReady(Promise.resolve('abc'))).toBe(true);
    expect(write).toHaveBeenCalledWith('abc');
  });

  it('returns false if the browser blocks it, and if there is no text', async () => {
    vi.stubGlobal('ClipboardItem', Item);
    vi.spyOn(navigator.clipboard, 'write').mockRejectedValue(new Error('Blocked.'));
    expect(await copyWhenReady(Promise.resolve('abc'))).toBe(false);
    expect(await copyWhenReady(Promise.reject(new Error('No link.')))).toBe(false);
  });
});

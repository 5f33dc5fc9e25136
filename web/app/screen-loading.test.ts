import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  loadScreen,
  loadedScreen,
  preloadScreen,
  ScreenLoadTimeout,
  shouldReload,
} from './screen-loading.ts';

const Empty = (): null => null;
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
});

describe('loadScreen', () => {
  it('loads a screen once', async () => {
    const load = vi.fn(() => Promise.resolve(Empty));
    expect(loadedScreen(load)).toBeNull();
    await loadScreen(load, 1_000);
    await loadScreen(load, 1_000);
    expect(load).toHaveBeenCalledTimes(1);
    expect(loadedScreen(load)).toBe(Empty);
  });

  it('rejects after its timeout and can be tried again', async () => {
    vi.useFakeTimers();
    const load = vi.fn(() => new Promise<typeof Empty>(() => undefined));
    const settled = vi.fn();
    const outcome = expect(loadScreen(load, 120_000).finally(settled)).rejects.toBeInstanceOf(
      ScreenLoadTimeout,
    );
    await vi.advanceTimersByTimeAsync(119_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    load.mockResolvedValueOnce(Empty);
    expect(await loadScreen(load, 120_000)).toBe(Empty);
  });

  it('rejects with the error of the import', async () => {
    const load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    await expect(loadScreen(load, 1_000)).rejects.toBeInstanceOf(TypeError);
  });
});

describe('preloadScreen', () => {
  it('keeps the screen for later and ignores errors', async () => {
    const load = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce(Empty);
    preloadScreen(load);
    await waitFor(() => expect(load).toHaveBeenCalledTimes(1));
    preloadScreen(load);
    await waitFor(() => expect(loadedScreen(load)).toBe(Empty));
  });
});

describe('shouldReload', () => {
  it('allows one reload per path and none offline', () => {
    expect(shouldReload(sessionStorage, '/pricing', false)).toBe(false);
    expect(shouldReload(sessionStorage, '/pricing', true)).toBe(true);
    expect(shouldReload(sessionStorage, '/pricing', true)).toBe(false);
    expect(shouldReload(sessionStorage, '/about', true)).toBe(true);
  });
});

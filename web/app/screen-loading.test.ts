import { afterEach, expect, test, vi } from 'vitest';
import { loadScreen, loadedScreen, shouldReload, ScreenLoadTimeout } from './screen-loading.ts';

const Empty = (): null => null;
afterEach(() => {
  vi.useRealTimers();
  sessionStorage.clear();
});

test('a screen is fetched once', async () => {
  const load = vi.fn(() => Promise.resolve(Empty));
  await loadScreen(load, 1_000);
  await loadScreen(load, 1_000);
  expect(load).toHaveBeenCalledTimes(1);
  expect(loadedScreen(load)).toBe(Empty);
});

test('a screen that never comes is given up in time, and may be asked for again', async () => {
  vi.useFakeTimers();
  const load = vi.fn(() => new Promise<typeof Empty>(() => undefined));
  const outcome = expect(loadScreen(load, 120_000)).rejects.toBeInstanceOf(ScreenLoadTimeout);
  await vi.advanceTimersByTimeAsync(120_000);
  await outcome;
  load.mockResolvedValueOnce(Empty);
  expect(await loadScreen(load, 120_000)).toBe(Empty);
});

test('one reload a path, none offline', () => {
  expect(shouldReload(sessionStorage, '/pricing', false)).toBe(false);
  expect(shouldReload(sessionStorage, '/pricing', true)).toBe(true);
  expect(shouldReload(sessionStorage, '/pricing', true)).toBe(false);
  expect(shouldReload(sessionStorage, '/about', true)).toBe(true);
});

import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { loadOnline } from './load-online.ts';

afterEach(() => vi.restoreAllMocks());

it('code that did not load offline loads with the network', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  let tries = 0;
  const loading = loadOnline(() => {
    tries += 1;
    return navigator.onLine ? Promise.resolve('code') : Promise.reject(new Error('No network.'));
  });
  await waitFor(() => expect(tries).toBe(1));
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(await loading).toBe('code');
  expect(tries).toBe(2);
});

it('code that does not load online fails at once', async () => {
  await expect(loadOnline(() => Promise.reject(new Error('Gone.')))).rejects.toThrow('Gone.');
});

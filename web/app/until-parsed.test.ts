import { afterEach, expect, it, vi } from 'vitest';
import { untilParsed } from './until-parsed.ts';

afterEach(() => vi.restoreAllMocks());

it('waits for the end of the HTML, which may come after the application', async () => {
  const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
  const parsed = vi.fn();
  const waiting = untilParsed().then(parsed);
  await Promise.resolve();
  expect(parsed).not.toHaveBeenCalled();
  document.dispatchEvent(new Event('DOMContentLoaded'));
  await waiting;
  state.mockReturnValue('interactive');
  await expect(untilParsed()).resolves.toBeUndefined();
});

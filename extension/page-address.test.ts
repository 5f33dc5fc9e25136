import { afterEach, describe, expect, it, vi } from 'vitest';
import { readGivenPage, rejectAddress } from './page-address.ts';

describe('rejectAddress', () => {
  const HOSTS = ['hop.example'];

  it.each(['https://example.com/a', 'http://hop.example.org/', 'http://localhost:3000/'])(
    'accepts %s',
    (address) => expect(rejectAddress(address, HOSTS)).toBeNull(),
  );

  it.each([
    '',
    'chrome://extensions/',
    'about:blank',
    'file:///home/me/a.html',
    'chrome-extension://abc/popup.html',
    'moz-extension://abc/popup.html',
    'data:text/html,a',
  ])('says that “%s” is no web address', (address) =>
    expect(rejectAddress(address, HOSTS)).toContain('no web address'),
  );

  it('takes another port of the host for another site', () => {
    expect(rejectAddress('http://hop.example:8080/', HOSTS)).toBeNull();
    expect(rejectAddress('http://localhost:8787/a', ['localhost:8787'])).toContain('part of Hop');
  });

  it('says that a page or short link of the installation cannot be shortened', () =>
    expect(rejectAddress('https://hop.example/abc', HOSTS)).toContain('part of Hop'));
});

describe('readGivenPage', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('reads the page that a menu has passed, without asking for the tab', async () => {
    const page = { url: 'https://example.com/?a=1&b=2', title: 'A & B' };
    expect(await readGivenPage(`?${new URLSearchParams(page)}`)).toEqual(page);
    expect(await readGivenPage('?url=a')).toEqual({ url: 'a', title: '' });
  });

  it('reads the tab in front of the current window, which may be unreadable', async () => {
    const query = vi.fn(async (): Promise<chrome.Tab[]> => [
      { url: 'https://a.example/', title: 'A' },
    ]);
    vi.stubGlobal('chrome', { tabs: { query } });
    expect(await readGivenPage('')).toEqual({ url: 'https://a.example/', title: 'A' });
    expect(query).toHaveBeenCalledWith({ active: true, currentWindow: true });
    query.mockResolvedValue([{}]);
    expect(await readGivenPage('')).toEqual({ url: '', title: '' });
  });
});

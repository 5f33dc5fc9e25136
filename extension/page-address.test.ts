import { describe, expect, it } from 'vitest';
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

  it('says that a page or short link of the installation cannot be shortened', () =>
    expect(rejectAddress('https://hop.example/abc', HOSTS)).toContain('part of Hop'));
});

describe('readGivenPage', () => {
  it('reads the page that a menu has passed, without asking for the tab', async () => {
    const page = { url: 'https://example.com/?a=1&b=2', title: 'A & B' };
    expect(await readGivenPage(`?${new URLSearchParams(page)}`)).toEqual(page);
  });
});

import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { AboutPage } from './about-page.tsx';
import { ToolsPage } from './tools-page.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('tools are files to download and a link to drag, which does nothing here', () => {
  showPage(<ToolsPage />);
  for (const browser of ['chromium', 'firefox']) {
    const link = screen.getByRole('link', { name: `download hop-${browser}.zip` });
    expect(link.getAttribute('href')).toContain(`hop-${browser}.zip`);
    expect(link.hasAttribute('download')).toBe(true);
  }
  const bookmarklet = screen.getByRole('link', { name: /^Shorten with/ });
  expect(bookmarklet.getAttribute('href')).toBe(
    `javascript:void open('${config.appOrigin}/?url='+encodeURIComponent(location.href))`,
  );
  expect(fireEvent.click(bookmarklet)).toBe(false);
  expect(screen.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe(
    '/docs/api',
  );
  for (const section of screen.getAllByRole('region'))
    expect(section.querySelector('h2')?.id).toBe(section.getAttribute('aria-labelledby'));
});

it('tools are copied and saved as they are shown, with the address of the API', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const blobs: (Blob | MediaSource)[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob)}`);
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  showPage(<ToolsPage />);
  for (const name of ['Copy its code', 'Copy command', 'Copy file', 'Save hop.sxcu'])
    fireEvent.click(screen.getByRole('button', { name }));
  const [code, command = '', file = ''] = copy.mock.calls.flat();
  expect(code).toBe(screen.getByText(/^Shorten with/).getAttribute('href'));
  const api = `${config.appOrigin}/api/v1/links`;
  expect(command).toMatch(new RegExp(`^curl ${api} -H "Authorization: Bearer hop_live_YOUR_KEY"`));
  expect([...document.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual([
    command,
    file,
  ]);
  expect(JSON.parse(file)).toMatchObject({
    DestinationType: 'URLShortener',
    RequestMethod: 'POST',
    RequestURL: api,
    Headers: { Authorization: 'Bearer hop_live_YOUR_KEY' },
    Data: '{"url":"{input}"}',
    URL: '{json:shortUrl}',
    ErrorMessage: '{json:detail}',
  });
  const [blob] = blobs;
  expect([blob instanceof Blob && (await blob.text()), names]).toEqual([file, ['hop.sxcu']]);
});

it('the page about the product links what it names', () => {
  showPage(<AboutPage />);
  expect(screen.getByText(/Anyone can shorten up to 50 links a day/)).toBeTruthy();
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/privacy#clicks',
    '/report',
    '/settings',
  ]);
});

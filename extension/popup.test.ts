import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { byId } from './elements.ts';
import { inputAt, openPage, press, problem, textAt } from '#extension/testing/open-page.ts';

const CONNECTION = { origin: 'https://hop.example', key: 'k', keyName: 'A', canTag: true };
const linkOf = (code: string, title = '') => ({
  id: 7,
  code,
  title,
  shortUrl: `https://hop.example/${code}`,
  url: 'https://example.com/a',
});
const list = (...data: object[]) => Response.json({ data, nextCursor: null });
const focused = () => document.activeElement?.id;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the popup', () => {
  it('creates one link for repeated requests, copies it and lists it', async () => {
    const answers = [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => Response.json(linkOf('a/b', 'T'), { status: 201 }),
      () => Response.json(linkOf('c'), { status: 201 }),
    ];
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { calls } = await openPage('popup', CONNECTION, (call) =>
      call.startsWith('POST ')
        ? (answers.shift()?.() ?? problem(500, 'internal'))
        : list(linkOf('x', 'A title'), linkOf('y')),
    );
    expect([inputAt('url').value, inputAt('title').value, focused()]).toEqual([
      'https://example.com/a',
      'a'.repeat(119),
      'shorten',
    ]);
    const rows = [...document.querySelectorAll('#links li')];
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'hop.example/xA titleCopy',
      'hop.example/yexample.com/aCopy',
    ]);
    const address = document.querySelector<HTMLAnchorElement>('#links a');
    expect([address?.href, address?.target, address?.rel]).toEqual([
      'https://hop.example/x',
      '_blank',
      'noopener',
    ]);
    const copy = rows[0]?.querySelector('button');
    expect(copy?.ariaLabel).toBe('Copy hop.example/x');
    vi.useFakeTimers();
    for (const [ms, text] of [
      [0, 'Copied!'],
      [1_500, 'Copied!'],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms);
      copy?.click();
      await vi.advanceTimersByTimeAsync(0);
      expect([copy?.textContent, textAt('status')]).toEqual([text, 'Copied!']);
    }
    await vi.advanceTimersByTimeAsync(1_999);
    expect(copy?.textContent).toBe('Copied!');
    await vi.advanceTimersByTimeAsync(1);
    expect(copy?.textContent).toBe('Copy');
    vi.useRealTimers();
    expect(writeText.mock.calls).toEqual([['https://hop.example/x'], ['https://hop.example/x']]);
    writeText.mockClear();

    const submitted = vi.fn<(event: Event) => boolean>((event) => event.defaultPrevented);
    byId('form', HTMLFormElement).addEventListener('submit', submitted);

    inputAt('title').value = ' T ';
    inputAt('code').value = ' my ';
    inputAt('tags').value = ' sale, ,spring';
    press('shorten');
    press('shorten');
    await waitFor(() => expect(textAt('failure')).toMatch(/^The server could not be reached/));
    expect([calls.length, textAt('result')]).toEqual([2, null]);
    expect(submitted).toHaveLastReturnedWith(true);
    press('shorten');
    await waitFor(() => expect(focused()).toBe('copy'));
    await waitFor(() => expect(textAt('copy')).toBe('Copied!'));
    expect([textAt('short-url'), textAt('result-target'), textAt('status')]).toEqual([
      'hop.example/a/b',
      'example.com/a',
      'Copied!',
    ]);
    expect(textAt('form')).toBeNull();
    expect(byId('analytics', HTMLAnchorElement).href).toBe('https://hop.example/analytics/a%2Fb');
    await waitFor(() => expect(calls).toHaveLength(4));
    press('again');
    expect([inputAt('url').value, inputAt('code').value, focused()]).toEqual(['', '', 'url']);
    expect(textAt('result')).toBeNull();
    const again = { url: 'https://example.com/a', title: 'T', code: 'my', tags: 'sale,spring' };
    for (const [id, text] of Object.entries(again)) inputAt(id).value = text;
    press('shorten');
    await waitFor(() => expect(calls).toHaveLength(6));
    expect(calls.map(({ call }) => call)).toEqual([
      'GET /links?limit=10',
      'POST /links',
      'POST /links',
      'GET /links?limit=10',
      'POST /links',
      'GET /links?limit=10',
    ]);
    const [, first, second, , other] = calls;
    const link = { ...again, tags: ['sale', 'spring'] };
    expect([first?.body, second?.body, other?.body]).toEqual([link, link, link]);
    expect(first?.idempotencyKey).toMatch(/^[\da-f-]{36}$/);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
    expect(other?.idempotencyKey).not.toBe(first?.idempotencyKey);
    expect(writeText.mock.calls.flat()).toEqual([
      'https://hop.example/a/b',
      'https://hop.example/c',
    ]);
  });

  it('shows and hides the QR code of the new link, and says why there is none', async () => {
    let isUp = false;
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('blocked'));
    const { calls } = await openPage('popup', CONNECTION, (call) =>
      call === 'POST /links'
        ? Response.json(linkOf('a'), { status: 201 })
        : call !== 'GET /links/7/qr.svg'
          ? list()
          : isUp
            ? new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })
            : problem(503, 'unavailable'),
    );
    expect(textAt('links-note')).toBe('You have no links yet.');
    press('shorten');
    await waitFor(() => expect(textAt('status')).toMatch(/^Your browser blocked copying\./));
    expect(textAt('copy')).toBe('Copy');
    press('qr');
    await waitFor(() => expect(textAt('qr-error')).toBe('Wrong: unavailable.'));
    isUp = true;
    press('qr');
    press('qr');
    const qr = byId('qr', HTMLButtonElement);
    await waitFor(() => expect(qr.ariaExpanded).toBe('true'));
    const image = byId('qr-image', HTMLImageElement);
    expect([image.src, image.alt, textAt('qr-error')]).toEqual([
      'data:image/svg+xml,%3Csvg%2F%3E',
      'QR code of the short URL',
      null,
    ]);
    expect(calls.filter(({ call }) => call.includes('qr.svg'))).toHaveLength(2);
    press('qr');
    expect([qr.ariaExpanded, textAt('qr-frame')]).toEqual(['false', null]);
    press('qr');
    await waitFor(() => expect(qr.ariaExpanded).toBe('true'));
    press('again');
    inputAt('url').value = 'https://example.com/a';
    press('shorten');
    await waitFor(() => expect(textAt('result')).not.toBeNull());
    expect([qr.ariaExpanded, textAt('qr-frame')]).toEqual(['false', null]);
  });

  it('shows an error at its field, until the next attempt', async () => {
    let answer = () => problem(400, 'invalid_body', '/tags/0');
    const { openOptionsPage } = await openPage('popup', CONNECTION, (call) =>
      call === 'POST /links' ? answer() : problem(503, 'unavailable'),
    );
    expect(textAt('links-note')).toBe('Wrong: unavailable.');
    const url = inputAt('url').value;
    inputAt('url').value = ' ';
    press('shorten');
    expect([textAt('url-error'), focused()]).toEqual(['Enter the address of a page.', 'url']);
    inputAt('url').value = url;
    press('shorten');
    await waitFor(() => expect(textAt('tags-error')).toBe('Wrong: /tags/0.'));
    const invalid = () => [...document.querySelectorAll('[aria-invalid=true]')].map(({ id }) => id);
    expect([textAt('url-error'), textAt('failure'), invalid(), focused()]).toEqual([
      null,
      null,
      ['tags'],
      'tags',
    ]);
    answer = () => problem(401, 'unauthenticated');
    press('shorten');
    expect([textAt('tags-error'), invalid()]).toEqual([null, []]);
    await waitFor(() => expect(textAt('failure')).toMatch(/^The API key does not work\./));
    expect(textAt('failure-settings')).not.toBeNull();
    for (const id of ['failure-settings', 'open-settings']) press(id);
    expect(openOptionsPage).toHaveBeenCalledTimes(2);
    answer = () => problem(500, 'internal');
    press('shorten');
    await waitFor(() => expect(textAt('failure')).toBe('Wrong: internal.'));
    // Nothing says that the browser blocked copying, because there was nothing to copy.
    expect([textAt('failure-settings'), textAt('status')]).toEqual([null, '']);
  });

  it('shortens no page of the installation, and a key without the right sets no tags', async () => {
    const own = { ...CONNECTION, origin: 'https://example.com', canTag: false };
    const { calls } = await openPage('popup', own, (call) =>
      call === 'POST /links' ? Response.json(linkOf('a'), { status: 201 }) : list(),
    );
    expect(textAt('page-note')).toContain('part of Hop');
    expect([inputAt('url').value, inputAt('title').value, focused()]).toEqual(['', '', 'url']);
    expect(textAt('tags-field')).toBeNull();
    inputAt('url').value = 'https://b.example';
    inputAt('tags').value = 'kept from another key';
    press('shorten');
    await waitFor(() => expect(textAt('result')).not.toBeNull());
    expect(calls[1]?.body).toEqual({ url: 'https://b.example' });
    press('again');
    expect(textAt('page-note')).toBeNull();
  });

  it('asks for a connection before anything else', async () => {
    const { calls, openOptionsPage } = await openPage('popup', undefined, () => list());
    expect([textAt('form'), textAt('recent')]).toEqual([null, null]);
    expect(textAt('connect')).toContain('Connect your account');
    press('connect-settings');
    expect([openOptionsPage.mock.calls.length, calls]).toEqual([1, []]);
  });
});

import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedLink } from '#contract/links/links.ts';
import { changeFirstSteps } from '#web/shared/links/stored-first-steps.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { makeLinks } from '#web/testing/make-link.ts';
import { typeInto } from '#web/testing/describe-forms.ts';
import { choose, currentAddress, goBack, press, renderPage } from '#web/testing/render-page.tsx';
import { saveFiles } from '#web/testing/save-files.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { toApiQuery, useLinkFilters } from './link-filters.ts';
import { LinkList } from './link-list.tsx';
import { useLinks } from './queries.ts';

const onShareTag = vi.fn();
function Page() {
  const list = useLinkFilters();
  const query = useLinks(toApiQuery(list.filters));
  return <LinkList query={query} list={list} onShareTag={onShareTag} />;
}

/** Shows a list of these links. `answer` responds to all other requests. */
function show(
  urls: ListedLink[],
  answer: (asked: Asked) => unknown = () => ({ tags: [], views: [] }),
  address = '/dashboard',
  links = urls.length,
) {
  const totals = { links, clicks: 0, active: 0, countedAt: null };
  const requests = serve((asked) =>
    asked.path === '/api/my-urls' ? { urls, nextCursor: null, totals } : answer(asked),
  );
  return { requests, ...renderPage(<Page />, [address]) };
}
const rows = () => screen.findAllByRole('checkbox', { name: /^Select/ });

beforeEach(() => changeFirstSteps({ isDismissed: true }));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('toolbar of the list', () => {
  const order = (value: string) =>
    fireEvent.change(screen.getAllByLabelText('Order')[0] ?? document.body, { target: { value } });

  it('keeps the order in the address, unless it is the newest first', async () => {
    const { requests } = show(makeLinks(1));
    await rows();
    order('created');
    expect(currentAddress()).toBe('/dashboard?sort=created');
    expect(screen.getByLabelText('Order')).toHaveProperty('value', 'created');
    await waitFor(() => expect(requests).toContain('GET /api/my-urls?sort=created'));
    order('-created');
    expect(currentAddress()).toBe('/dashboard');
  });

  it('adds a chip for each chosen filter, whose control gets the focus', async () => {
    show(makeLinks(1), ({ path }) =>
      path === '/api/tags'
        ? { tags: [{ id: 1, name: 'Launch', color: 'blue' }] }
        : { views: [], links: 0, clicks: 0, isComplete: true },
    );
    await rows();
    await choose('Filter', 'Tag');
    const tag = await screen.findByLabelText<HTMLSelectElement>('Tag');
    await waitFor(() => expect(document.activeElement).toBe(tag));
    await screen.findByRole('option', { name: 'Launch' });
    expect(currentAddress()).toBe('/dashboard');
    await typeInto('Tag', 'Launch');
    expect(currentAddress()).toBe('/dashboard?tag=Launch');
    await press('Filter');
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Status',
      'Favorites',
      'Destination',
      'Destination check',
      'Created',
      'Clicks',
    ]);
    await choose('More for this list', 'Manage tags');
    await press('Share a report of the tag Launch');
    expect(onShareTag).toHaveBeenCalledExactlyOnceWith({ id: 1, name: 'Launch', color: 'blue' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('finds links by what checks found, and names each state', async () => {
    const { requests } = show(makeLinks(1));
    await rows();
    await choose('Filter', 'Destination check');
    const field = await screen.findByLabelText<HTMLSelectElement>('Destination check');
    expect([...field.options].map(({ text }) => text)).toContain('Unreachable');
    await typeInto('Destination check', 'dead');
    expect(currentAddress()).toBe('/dashboard?health=dead');
    expect(screen.queryByText('Clear filters')).toBeNull();
    await waitFor(() =>
      expect(requests.some((text) => /my-urls\?.*health=dead/.test(text))).toBe(true),
    );
    await press('Remove filter Destination check');
    expect(currentAddress()).toBe('/dashboard');
    expect(screen.queryByLabelText('Destination check')).toBeNull();
    await choose('Filter', 'Status');
    const status = await screen.findByLabelText<HTMLSelectElement>('Status');
    expect([...status.options].map(({ text }) => text)).toEqual([
      'Choose…',
      'Active',
      'Disabled',
      'Expired',
      'Archived',
      'Trash',
    ]);
  });

  it('applies a date at once, and other fields when they are left or after Enter', async () => {
    show(makeLinks(1));
    await rows();
    await choose('Filter', 'Created');
    const from = await screen.findByLabelText('Created from');
    await waitFor(() => expect(document.activeElement).toBe(from));
    await typeInto('Created from', '2026-11-01');
    expect(currentAddress()).toBe('/dashboard?from=2026-11-01');
    await choose('Filter', 'Destination');
    const host = await screen.findByLabelText('Host of the destination');
    await waitFor(() => expect(document.activeElement).toBe(host));
    await typeInto('Host of the destination', ' Example.COM ');
    expect(currentAddress()).toBe('/dashboard?from=2026-11-01');
    fireEvent.blur(screen.getByLabelText('Host of the destination'));
    expect(currentAddress()).toBe('/dashboard?from=2026-11-01&host=example.com');
    await choose('Filter', 'Clicks');
    const least = await screen.findByLabelText('Clicks, at least');
    await waitFor(() => expect(document.activeElement).toBe(least));
    await typeInto('Clicks, at least', '5');
    fireEvent.keyDown(screen.getByLabelText('Clicks, at least'), { key: 'Enter' });
    expect(currentAddress()).toContain('&min_clicks=5');
    await choose('Filter', 'Favorites');
    expect(currentAddress()).toContain('&favorite=1');
    expect(screen.getAllByRole('button', { name: /^Remove filter/ })).toHaveLength(4);
    await typeInto('Created until', '2026-11-30');
    await typeInto('Clicks, at most', '9');
    fireEvent.blur(screen.getByLabelText('Clicks, at most'));
    expect(currentAddress()).toBe(
      '/dashboard?from=2026-11-01&host=example.com&min_clicks=5&favorite=1&to=2026-11-30&max_clicks=9',
    );
    // A field that is left unchanged is no step to go back to.
    fireEvent.blur(screen.getByLabelText('Clicks, at most'));
    await typeInto('Created until', '');
    await typeInto('Created until', '2026-12-01');
    await typeInto('Created until', '2026-12-02');
    goBack();
    expect(currentAddress()).not.toContain('to=');
    goBack();
    expect(currentAddress()).toMatch(/to=2026-11-30&max_clicks=9$/);
    goBack();
    expect(currentAddress()).not.toContain('max_clicks');
    expect(screen.queryByDisplayValue('9')).toBeNull();
  });

  it('Back undoes order and filters, and a search as one step', async () => {
    show(makeLinks(1));
    await rows();
    order('code');
    await choose('Filter', 'Favorites');
    for (const text of ['a', 'ab', 'abc']) {
      await typeInto('Search your links', text);
      await waitFor(() => expect(currentAddress()).toContain(`q=${text}`));
    }
    goBack();
    expect(currentAddress()).toBe('/dashboard?sort=code&favorite=1');
    goBack();
    expect(currentAddress()).toBe('/dashboard?sort=code');
    goBack();
    expect(currentAddress()).toBe('/dashboard');
  });

  it('removes one filter or all of them, but neither search nor order', async () => {
    const address = '/dashboard?q=a&sort=code&favorite=1&host=a.example&from=2026-01-01&tag=gone';
    show(makeLinks(1), undefined, address);
    await rows();
    expect((await screen.findByLabelText<HTMLSelectElement>('Tag')).value).toBe('gone');
    await press('Remove filter Created');
    expect(currentAddress()).toBe('/dashboard?q=a&sort=code&favorite=1&host=a.example&tag=gone');
    expect(screen.queryByLabelText('Created from')).toBeNull();
    await press('Clear filters');
    expect(currentAddress()).toBe('/dashboard?q=a&sort=code');
    expect(screen.queryByRole('button', { name: /^Remove filter/ })).toBeNull();
  });

  it('a filter for favorites is 1 in the address, and nothing else', async () => {
    const { requests } = show(makeLinks(1), undefined, '/dashboard?favorite=yes&tag=a');
    await rows();
    expect(requests).toContain('GET /api/my-urls?tag=a');
  });

  it.each([
    ['q=a', true, 2001, /^12 links, 340 clicks$/],
    ['max_clicks=9', true, 2000, /^12 links, 340 clicks$/],
    ['max_clicks=9', false, 2001, /^At least 12 links, .* · with more than 2,000 links, up to/],
    ['host=a.example', null, 1, /^These links could not be counted\.$/],
  ])('counts the links and clicks of %s (complete: %s)', async (filter, isComplete, of, text) => {
    const { requests } = show(
      makeLinks(1),
      ({ path }) =>
        path !== '/api/my-urls/totals'
          ? { tags: [], views: [] }
          : isComplete === null
            ? rejection(503, 'Down.')
            : { links: 12, clicks: 340, isComplete },
      `/dashboard?${filter}&sort=clicks`,
      of,
    );
    await rows();
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(text));
    expect(requests).toContain(`GET /api/my-urls/totals?${filter}`);
  });

  it('counts nothing without a filter, nor in the trash', async () => {
    const { requests } = show(makeLinks(1));
    await rows();
    cleanup();
    const { requests: inTrash } = show(makeLinks(1), undefined, '/dashboard?status=trash');
    await screen.findByText(/The trash/);
    expect([...requests, ...inTrash].filter((text) => text.includes('totals'))).toEqual([]);
  });

  it('exports the links that the filters accept', async () => {
    const saved = saveFiles();
    const answers = [new Response('a,b'), new Response('{}'), rejection(503, 'Down.')];
    const { requests } = show(
      makeLinks(1),
      ({ path }) =>
        path === '/api/account/links' ? answers.shift() : { tags: [], views: [], links: 1 },
      '/dashboard?tag=Launch&sort=code',
    );
    await rows();
    await choose('More for this list', 'Export as CSV');
    await waitFor(() => expect(saved).toHaveLength(1));
    await choose('More for this list', 'Export as JSON');
    // The byte order mark, which spreadsheets need, has 3 bytes.
    await waitFor(() => expect(saved).toEqual(['links.csv, 6 bytes', 'links.json, 2 bytes']));
    expect(requests).toContain('GET /api/account/links?format=csv&listed=1&tag=Launch');
    expect(requests).toContain('GET /api/account/links?format=json&listed=1&tag=Launch');
    await choose('More for this list', 'Export as CSV');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'The export failed.' }]));
  });

  it('shows saved views as tabs, of which the current one is marked', async () => {
    const views = [
      { id: 1, name: 'Launch', filters: { tag: 'Launch', sort: '-clicks' } },
      { id: 2, name: 'Ended', filters: { status: 'expired' } },
    ];
    show(makeLinks(1), () => ({ tags: [], views, links: 0, clicks: 0, isComplete: true }));
    const launch = await screen.findByRole('link', { name: 'Launch' });
    const current = () =>
      screen.getAllByRole('link', { current: 'page' }).map(({ textContent }) => textContent);
    expect(current()).toEqual(['All']);
    fireEvent.click(launch);
    expect(currentAddress()).toBe('/dashboard?tag=Launch&sort=-clicks');
    expect(current()).toEqual(['Launch']);
    await press('Save or delete views');
    await screen.findByRole('dialog', { name: 'Views' });
    fireEvent.click(screen.getByText('Close'));
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('link', { name: 'All' }));
    expect(currentAddress()).toBe('/dashboard');
  });
});

import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedLink } from '#contract/links/links.ts';
import { changeFirstSteps } from '#web/shared/links/stored-first-steps.ts';
import { makeLink, makeLinks } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { setCreatedCode, useCreatedCode } from '#web/shared/links/new-link.ts';
import { choose, currentAddress, press, renderPage } from '#web/testing/render-page.tsx';
import { saveFiles } from '#web/testing/save-files.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { toApiQuery, useLinkFilters } from './link-filters.ts';
import { LinkList } from './link-list.tsx';
import { useLinks } from './queries.ts';

function Page() {
  const list = useLinkFilters();
  return (
    <LinkList query={useLinks(toApiQuery(list.filters))} list={list} onShareTag={() => undefined} />
  );
}

const pageOf = (urls: ListedLink[], nextCursor: string | null = null, links = urls.length) => ({
  urls,
  nextCursor,
  totals: { links, clicks: 0, active: 0, countedAt: null },
});
const isList = ({ method, path }: Asked) => method === 'GET' && path === '/api/my-urls';

/** Shows a list of these links. `answer` responds to all other requests. */
function show(
  urls: ListedLink[],
  answer: (asked: Asked) => unknown = () => ({ tags: [], views: [] }),
  address = '/dashboard',
) {
  const requests = serve((asked) => (isList(asked) ? pageOf(urls) : answer(asked)));
  return { requests, ...renderPage(<Page />, [address]) };
}
const rows = async () => {
  await screen.findAllByText(/c1$/);
  return screen.getAllByRole('checkbox', { name: /^Select/ });
};

beforeEach(() => changeFirstSteps({ isDismissed: true }));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  takeToasts();
  setCreatedCode(null);
});

describe('LinkList', () => {
  it.each([
    ['', '', 'No URLs yet', null],
    ['in the trash', '&status=trash', 'The trash is empty', 'Show all links'],
    ['with a filter', '&host=a.example', 'No link matches these filters.', 'Clear filters'],
    ['for a search', '&q=spring', /^Nothing matches “spring”/, 'Clear filters'],
  ])('says that there is no link %s', async (_, filter, text, clear) => {
    show([], undefined, `/dashboard?sort=code${filter}`);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('searchbox') !== null).toBe(clear !== null);
    if (clear !== null) await press(clear);
    expect(currentAddress()).toBe('/dashboard?sort=code');
  });

  it('a link that was just created is on top, until the filters change', async () => {
    const links = makeLinks(2);
    show(
      links,
      ({ path }) => (path === '/api/links/c2' ? links[1] : { tags: [], views: [] }),
      '/dashboard?sort=code',
    );
    expect(await rows()).toHaveLength(2);
    act(() => setCreatedCode('c2'));
    await screen.findByText('New');
    const codes = () =>
      screen
        .getAllByRole('checkbox', { name: /^Select/ })
        .map((box) => box.getAttribute('aria-label'));
    expect(codes()).toEqual(['Select c2', 'Select c1']);
    expect(screen.getAllByText('New')).toHaveLength(1);
    expect(currentAddress()).toBe('/dashboard?sort=code');
    fireEvent.change(screen.getByLabelText('Order'), { target: { value: '-code' } });
    await waitFor(() => expect(codes()).toEqual(['Select c1', 'Select c2']));
    expect(screen.queryByText('New')).toBeNull();
    act(() => setCreatedCode('c2'));
    cleanup();
    expect(renderHook(useCreatedCode).result.current).toBeNull();
  });

  it('a link that was just created leaves the list when it is deleted', async () => {
    let isDeleted = false;
    const created = makeLink({ id: 9, short_code: 'new' });
    const { client } = show(makeLinks(1), ({ path }) =>
      path !== '/api/links/new'
        ? { tags: [], views: [] }
        : isDeleted
          ? rejection(404, 'Gone.')
          : created,
    );
    await rows();
    act(() => setCreatedCode('new'));
    await screen.findByLabelText('Select new');
    isDeleted = true;
    await act(() => client.invalidateQueries());
    await waitFor(() => expect(screen.queryByLabelText('Select new')).toBeNull());
  });

  it('a list that cannot be loaded is not shown as empty, and Retry loads it', async () => {
    let fails = true;
    serve(() => (fails ? rejection(503, 'Down.') : pageOf(makeLinks(1))));
    renderPage(<Page />);
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Your links could not be loaded.They keep redirecting.',
    );
    expect(screen.queryByText('No URLs yet')).toBeNull();
    fails = false;
    await press('Retry');
    expect(await rows()).toHaveLength(1);
  });

  it('keeps links that cannot be loaded again, and says so', async () => {
    let fails = false;
    serve(() => (fails ? rejection(503, 'Down.') : pageOf(makeLinks(1), null, 50)));
    const { client } = renderPage(<Page />);
    expect(screen.getByRole('searchbox')).toBeTruthy();
    await rows();
    expect(screen.queryByText('1 of 50')).toBeNull();
    fails = true;
    await act(() => client.invalidateQueries());
    expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded.');
    expect(await rows()).toHaveLength(1);
  });

  it('reads on after a page without links, and stops when that fails', async () => {
    const answers = [pageOf([], 'second'), pageOf([], 'third'), rejection(503, 'Down.')];
    const requests = serve((asked) => (isList(asked) ? answers.shift() : { tags: [], views: [] }));
    renderPage(<Page />, ['/dashboard?q=a']);
    await screen.findByText('Your links could not be loaded.');
    expect(requests.filter((text) => text.startsWith('GET /api/my-urls?'))).toEqual([
      'GET /api/my-urls?q=a',
      'GET /api/my-urls?q=a&cursor=second',
      'GET /api/my-urls?q=a&cursor=third',
    ]);
  });

  it.each([
    ['/dashboard', '2 of 6,000'],
    ['/dashboard?host=a.example', '2 shown'],
  ])('loads more links of %s after “%s”', async (address, shown) => {
    const pages = [pageOf(makeLinks(2), 'more', 6000), pageOf([makeLink({ id: 9 })], null, 6000)];
    serve((asked) => (isList(asked) ? pages.shift() : { tags: [], views: [], links: [] }));
    renderPage(<Page />, [address]);
    expect(await screen.findByText(shown)).toBeTruthy();
    await press('Load more');
    await screen.findByText(shown.replace('2', '3'));
    expect(screen.queryByText('Load more')).toBeNull();
  });

  it('asks once for the clicks of a page of links, without those that have none', async () => {
    const links = [...makeLinks(3), makeLink({ id: 9, short_code: 'c9', click_count: 0 })];
    const days = [0, 0, 0, 0, 0, 1, 2];
    const activity = { id: 2, clicks: 3, days, lastClickAt: new Date().toISOString() };
    const { requests } = show(links, ({ path }) =>
      path === '/api/link-activity' ? { links: [activity] } : { tags: [], views: [] },
    );
    await screen.findByText('last click just now');
    expect(requests.filter((text) => text.includes('link-activity'))).toEqual([
      'GET /api/link-activity?ids=1,2,3',
    ]);
  });

  it('shows the tags, the note and the dialogs of a link', async () => {
    const tags = [{ id: 1, name: 'one', color: 'blue' as const }];
    show([makeLink({ short_code: 'c1', note: 'For Ann', tags })]);
    fireEvent.click(await screen.findByLabelText('Note: For Ann'));
    expect(await screen.findByRole('dialog', { name: 'Edit link' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    const tag = screen.getByLabelText('Show links with the tag one');
    expect(tag.querySelector('.bg-chart-1')).not.toBeNull();
    fireEvent.click(tag);
    expect(currentAddress()).toBe('/dashboard?tag=one');
  });
});

describe('export of the selected links', () => {
  it('saves a file that spreadsheets can read, or says that it failed', async () => {
    const saved = saveFiles();
    let answer: (response: Response) => void = () => undefined;
    const { requests } = show(makeLinks(2), ({ path }) =>
      path === '/api/account/links'
        ? new Promise((resolve) => (answer = resolve))
        : { tags: [], views: [] },
    );
    for (const box of await rows()) fireEvent.click(box);
    const button = await screen.findByRole('button', { name: 'Export' });
    fireEvent.click(button);
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
    answer(new Response('short_url\r\n'));
    // The byte order mark has 3 bytes.
    await waitFor(() => expect(saved).toEqual(['links.csv, 14 bytes']));
    expect(requests.at(-1)).toBe('POST /api/account/links {"ids":[1,2]}');
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'));
    fireEvent.click(button);
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
    answer(rejection(503, 'Down.'));
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'The export failed.' }]));
  });
});

describe('the trash', () => {
  /** Links that were deleted after the page was opened. */
  const deleted = (count: number) =>
    makeLinks(count, { deleted_at: new Date(Date.now() + 60_000).toISOString() });
  const address = '/dashboard?status=trash';
  const writes = (requests: string[]) => requests.filter((text) => text.startsWith('POST '));
  const toasts = () => takeToasts().map(({ text }) => text);

  it('links can be restored one by one', async () => {
    let restore = (): void => undefined;
    const lines = [{ ok: true, code: 'c2', undo: { action: 'delete' } }];
    const { requests } = show(
      deleted(2),
      ({ method, path }) => {
        if (method === 'POST')
          return new Promise((resolve) => (restore = () => resolve({ lines })));
        return path === '/api/links/new'
          ? makeLink({ short_code: 'new' })
          : { tags: [], views: [] };
      },
      address,
    );
    await screen.findByLabelText('Restore c2');
    expect(screen.getAllByText('30 days left')).toHaveLength(2);
    // A link that was just created is not in the trash.
    act(() => setCreatedCode('new'));
    await press('Restore c2');
    await waitFor(() =>
      expect(screen.getByLabelText('Restore c2').getAttribute('aria-busy')).toBe('true'),
    );
    expect(screen.getByLabelText('Restore c1').getAttribute('aria-busy')).toBe('false');
    await press('Restore c1');
    restore();
    await waitFor(() => expect(toasts()).toEqual(['1 link restored.']));
    expect(writes(requests)).toEqual(['POST /api/links/actions {"action":"restore","ids":[2]}']);
    expect(requests.join()).not.toContain('/api/link-activity');
    expect(screen.queryByLabelText('Select new')).toBeNull();
    await press('Show all links');
    expect(currentAddress()).toBe('/dashboard');
  });

  it('deletes a link for good, after a confirmation that names it', async () => {
    const answer = () => ({ lines: [{ ok: true, code: 'c2' }] });
    const { requests } = show(deleted(2), answer, address);
    await press('Delete c2 for good');
    const dialog = await screen.findByRole('dialog', { name: 'Delete this link for good?' });
    expect(dialog.textContent).toContain('c2 will be removed from the trash.');
    expect(writes(requests)).toEqual([]);
    await press('Delete for good');
    await waitFor(() => expect(toasts()).toEqual(['1 link deleted for good.']));
    expect(writes(requests)).toEqual(['POST /api/links/purge {"ids":[2]}']);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('Empty trash deletes all after a confirmation with the number of its links', async () => {
    const ids = Array.from({ length: 250 }, (_, at) => at + 1);
    const answers: ((answer: unknown) => void)[] = [];
    const { requests } = show(
      deleted(2),
      async ({ method, path }) => {
        if (method === 'POST') return new Promise((resolve) => answers.push(resolve));
        // As long as a network takes: then the dialog is shown while its number loads again.
        await new Promise((resolve) => setTimeout(resolve));
        return path === '/api/my-urls/ids' ? { links: 250, ids } : { tags: [], views: [] };
      },
      address,
    );
    const answer = async (result: unknown) => {
      await waitFor(() => expect(answers).not.toEqual([]));
      await act(async () => answers.shift()?.(result));
    };
    const lines = ids.slice(0, 100).map((id) => ({ ok: id !== 3, code: `c${id}`, error: 'Held.' }));
    await press('Empty trash');
    await press('Delete 250 links for good');
    expect(requests).toContain('GET /api/my-urls/ids?status=trash');
    await screen.findByText('Deleting links for good: 0 of 250');
    await answer({ lines });
    await screen.findByText('Deleting links for good: 100 of 250');
    await answer(rejection(503, 'Down.'));
    expect(await screen.findByText('Down.')).toBeTruthy();
    expect(toasts()).toEqual(['99 links deleted for good.']);
    // Those that are gone are not sent again.
    await press('Delete 151 links for good');
    await screen.findByText('Deleting links for good: 0 of 151');
    await press('Stop');
    await answer({ lines: [{ ok: false, code: 'c3', error: 'Held.' }] });
    const dialog = await screen.findByRole('dialog', { name: '1 link not changed' });
    expect(dialog.textContent).toContain('c3Held.');
    expect(writes(requests)).toHaveLength(3);
    expect(writes(requests)[2]).toContain('{"ids":[3,101,102,');
    fireEvent.click(screen.getByText('Close'));
    expect(screen.queryByRole('dialog')).toBeNull();
    // The number that was loaded before is out of date.
    await press('Empty trash');
    expect(screen.queryByRole('button', { name: /for good$/ })).toBeNull();
    await screen.findByRole('button', { name: 'Delete 250 links for good' });
  });
});

describe('keys of the list', () => {
  const type = (key: string, init: KeyboardEventInit = {}): boolean =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init });
  const focused = () => document.activeElement?.getAttribute('aria-label');
  const checked = () =>
    screen
      .queryAllByRole('checkbox', { checked: true, hidden: true })
      .map((box) => box.getAttribute('aria-label'));

  it('slash moves to the search, and the arrows between links', async () => {
    show(makeLinks(2));
    await rows();
    type('/', { ctrlKey: true });
    type('/', { altKey: true });
    expect(document.activeElement).toBe(document.body);
    // Otherwise the slash is typed into the search.
    expect(type('/')).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    type('ArrowDown');
    expect(focused()).toMatch(/^Analytics of c1/);
    type('ArrowDown');
    expect(focused()).toMatch(/^Analytics of c2/);
    type('ArrowDown');
    type('ArrowUp');
    expect(focused()).toMatch(/^Analytics of c1/);
    screen.getByLabelText('More actions for c1').focus();
    type('ArrowDown');
    expect(focused()).toBe('More actions for c1');
  });

  it('slash is typed in a field, and means nothing once the list has gone', async () => {
    const added = vi.spyOn(window, 'addEventListener');
    const removed = vi.spyOn(window, 'removeEventListener');
    show(makeLinks(1));
    await rows();
    await choose('Filter', 'Destination');
    (await screen.findByLabelText('Host of the destination')).focus();
    const typed = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(typed);
    expect(typed.defaultPrevented).toBe(false);
    cleanup();
    const listeners = ({ mock }: typeof added | typeof removed) =>
      mock.calls.flatMap(([name, listener]) => (/^key|^focus/.test(name) ? [listener] : []));
    expect(listeners(added).length).toBeGreaterThan(2);
    expect(new Set(listeners(removed))).toEqual(new Set(listeners(added)));
  });

  it('j and k move between links, x selects one and with Shift a range, e edits', async () => {
    show(makeLinks(4));
    await rows();
    type('j');
    expect(focused()).toMatch(/^Analytics of c1/);
    type('x');
    type('j');
    type('j');
    type('k');
    expect(focused()).toMatch(/^Analytics of c2/);
    type('j');
    type('X', { shiftKey: true });
    expect(checked()).toEqual(['Select c1', 'Select c2', 'Select c3']);
    type('e');
    expect(await screen.findByRole('dialog', { name: 'Edit link' })).toBeTruthy();
    type('x');
    expect(checked()).toHaveLength(3);
    const cancel = screen.getByRole('button', { name: 'Cancel' });
    cancel.focus();
    type('/');
    expect(document.activeElement).toBe(cancel);
  });

  it('Escape ends the selection, but not from a dialog or a field', async () => {
    show(makeLinks(2));
    await rows();
    type('j');
    type('x');
    type('e');
    await screen.findByRole('dialog', { name: 'Edit link' });
    type('Escape');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(checked()).toEqual(['Select c1']);
    screen.getByRole('searchbox').focus();
    type('Escape');
    expect(checked()).toEqual(['Select c1']);
    screen.getByLabelText(/^Analytics of c1/).focus();
    type('Escape');
    expect(checked()).toEqual([]);
  });

  it('characters are typed in fields, and keys with modifiers mean nothing', async () => {
    show(makeLinks(2));
    await rows();
    type('k');
    expect(focused()).toMatch(/^Analytics of c1/);
    type('x', { metaKey: true });
    screen.getByRole('searchbox').focus();
    type('x');
    type('j');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    expect(checked()).toEqual([]);
  });

  it('the focus moves to the row in place of one that an action removed', async () => {
    let urls = makeLinks(3);
    serve((asked) => {
      if (isList(asked)) return pageOf(urls);
      if (asked.method === 'GET') return { links: [], tags: [], views: [] };
      const archived = JSON.stringify(asked.body);
      urls = urls.filter(({ id }) => !archived.includes(`[${id}]`));
      return { lines: [{ ok: true, code: '', undo: { action: 'unarchive' } }] };
    });
    const { client } = renderPage(<Page />);
    await rows();
    screen.getByLabelText('More actions for c2').focus();
    await choose('More actions for c2', 'Archive link');
    await waitFor(() => expect(screen.queryByLabelText('Select c2')).toBeNull());
    await waitFor(() => expect(focused()).toMatch(/^Analytics of c3/));
    await choose('More actions for c3', 'Archive link');
    await waitFor(() => expect(focused()).toMatch(/^Analytics of c1/));
    // The focus has left the list, so that nothing brings it back.
    screen.getByRole('searchbox').focus();
    screen.getByRole('searchbox').blur();
    urls = makeLinks(3).slice(1);
    await act(() => client.invalidateQueries());
    await waitFor(() => expect(screen.queryByLabelText('Select c1')).toBeNull());
    expect(document.activeElement).toBe(document.body);
  });
});

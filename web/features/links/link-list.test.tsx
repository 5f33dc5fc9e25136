import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedLink } from '#contract/links/links.ts';
import { changeFirstSteps } from '#web/shared/links/stored-first-steps.ts';
import { makeLink, makeLinks } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { setCreatedCode } from '#web/shared/links/new-link.ts';
import { choose, currentAddress, press, renderPage } from '#web/testing/render-page.tsx';
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
    ['', '/dashboard', 'No URLs yet'],
    ['in the trash', '/dashboard?status=trash', 'The trash is empty'],
    ['with a filter', '/dashboard?host=a.example', 'No link matches these filters.'],
    ['for a search', '/dashboard?q=spring', /^Nothing matches “spring”/],
  ])('says that there is no link %s', async (_, address, text) => {
    show([], undefined, address);
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('a link that was just created is on top, until the filters change', async () => {
    const created = makeLink({ id: 9, short_code: 'new', short_url: 'https://hop.example/new' });
    show(
      makeLinks(2),
      ({ path }) => (path === '/api/links/new' ? created : { tags: [], views: [] }),
      '/dashboard?sort=code',
    );
    expect(await rows()).toHaveLength(2);
    act(() => setCreatedCode('new'));
    await screen.findByLabelText('Select new');
    const codes = () =>
      screen
        .getAllByRole('checkbox', { name: /^Select/ })
        .map((box) => box.getAttribute('aria-label'));
    expect(codes()).toEqual(['Select new', 'Select c1', 'Select c2']);
    expect(screen.getAllByText('New')).toHaveLength(1);
    expect(currentAddress()).toBe('/dashboard?sort=code');
    fireEvent.change(screen.getByLabelText('Order'), { target: { value: '-code' } });
    await waitFor(() => expect(codes()).toEqual(['Select c1', 'Select c2']));
    expect(screen.queryByText('New')).toBeNull();
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
    serve(() => (fails ? rejection(503, 'Down.') : pageOf(makeLinks(1))));
    const { client } = renderPage(<Page />);
    await rows();
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
    ['/dashboard', '2 of 60'],
    ['/dashboard?host=a.example', '2 shown'],
  ])('loads more links of %s after “%s”', async (address, shown) => {
    const answers = [pageOf(makeLinks(2), 'more', 60), pageOf([makeLink({ id: 9 })], null, 60)];
    serve((asked) => (isList(asked) ? answers.shift() : { tags: [], views: [], links: [] }));
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
    fireEvent.click(screen.getByLabelText('Show links with the tag one'));
    expect(currentAddress()).toBe('/dashboard?tag=one');
  });
});

describe('keys of the list', () => {
  const type = (key: string, init: KeyboardEventInit = {}): void =>
    void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init });
  const focused = () => document.activeElement?.getAttribute('aria-label');
  const checked = () =>
    screen
      .queryAllByRole('checkbox', { checked: true, hidden: true })
      .map((box) => box.getAttribute('aria-label'));

  it('slash moves to the search, and the arrows between links', async () => {
    show(makeLinks(2));
    await rows();
    type('/', { ctrlKey: true });
    expect(document.activeElement).toBe(document.body);
    type('/');
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
    show(makeLinks(1));
    await rows();
    await choose('Filter', 'Destination');
    (await screen.findByLabelText('Host of the destination')).focus();
    const typed = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(typed);
    expect(typed.defaultPrevented).toBe(false);
    const remove = vi.spyOn(window, 'removeEventListener');
    cleanup();
    expect(remove).toHaveBeenCalledWith('keydown', expect.any(Function));
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
    type('j');
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
      urls = urls.filter(({ id }) => id !== 2);
      return { lines: [{ ok: true, code: 'c2', undo: { action: 'unarchive' } }] };
    });
    renderPage(<Page />);
    await rows();
    screen.getByLabelText('More actions for c2').focus();
    await choose('More actions for c2', 'Archive link');
    await waitFor(() => expect(screen.queryByLabelText('Select c2')).toBeNull());
    await waitFor(() => expect(focused()).toMatch(/^Analytics of c3/));
  });
});

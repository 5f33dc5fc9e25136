import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkActionRequest, ListedLink } from '#contract/links.ts';
import { changeFirstSteps } from '#web/shared/first-steps.ts';
import { makeLink, makeLinks } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { choose, currentAddress, press, renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { toApiQuery, useLinkFilters } from './link-filters.ts';
import { LinkList } from './link-list.tsx';
import { useLinks } from './queries.ts';

function Page() {
  const list = useLinkFilters();
  return <LinkList query={useLinks(toApiQuery(list.filters))} list={list} />;
}

const pageOf = (urls: ListedLink[], nextCursor: string | null = null, links = urls.length) => ({
  urls,
  nextCursor,
  totals: { links, clicks: 0, active: 0, counted_at: null },
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
const select = async (...codes: string[]) => {
  await rows();
  for (const code of codes) fireEvent.click(screen.getByLabelText(`Select ${code}`));
};
/** Accepts an action on all links but those with a code in `failed`. */
const accept =
  (...failed: string[]) =>
  ({ body }: { body: unknown }) => {
    const { codes }: LinkActionRequest = JSON.parse(JSON.stringify(body));
    return {
      lines: codes.map((code) =>
        failed.includes(code) ? { ok: false, code, error: 'On hold.' } : { ok: true, code },
      ),
    };
  };
const posted = (requests: string[]): unknown[] =>
  requests
    .filter((text) => text.startsWith('POST /api/links/actions'))
    .map((text): unknown => JSON.parse(text.slice(text.indexOf('{'))));
const toasts = () => takeToasts().map(({ text }) => text);

beforeEach(() => changeFirstSteps({ isDismissed: true }));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  takeToasts();
});

describe('LinkList', () => {
  it.each([
    ['', '/dashboard', 'No URLs yet'],
    ['in the trash', '/dashboard?status=trash', 'The trash is empty'],
    ['with a filter', '/dashboard?host=a.example', 'No link matches these filters.'],
    ['for a search', '/dashboard?q=spring', /words that begin with “spring”/],
  ])('says that there is no link %s', async (_, address, text) => {
    show([], undefined, address);
    expect(await screen.findByText(text)).toBeTruthy();
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
    const activity = { id: 2, clicks: 3, days, last_click: new Date().toISOString() };
    const { requests } = show(links, ({ path }) =>
      path === '/api/link-activity' ? { links: [activity] } : { tags: [], views: [] },
    );
    await screen.findByText('last click just now');
    expect(requests.filter((text) => text.includes('link-activity'))).toEqual([
      'GET /api/link-activity?ids=1,2,3',
    ]);
  });

  it('links in the trash can be restored one by one', async () => {
    const deleted = makeLinks(2, { deleted_at: new Date().toISOString() });
    const { requests } = show(deleted, accept(), '/dashboard?status=trash');
    await press('Restore c2');
    await waitFor(() => expect(posted(requests)).toEqual([{ action: 'restore', codes: ['c2'] }]));
    await waitFor(() => expect(toasts()).toEqual(['1 link restored.']));
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

describe('selected links', () => {
  it('selects and deselects single links, all that are shown, and none', async () => {
    show(makeLinks(3));
    await select('c1');
    await press('Select all 3');
    expect(screen.getByText('3 selected')).toBeTruthy();
    expect(screen.queryByText(/^Select all/)).toBeNull();
    await select('c2');
    expect(screen.getByText('2 selected')).toBeTruthy();
    await press('Clear selection');
    expect(screen.queryByText(/selected$/)).toBeNull();
  });

  it('forgets the selection when the filters change', async () => {
    const tags = [{ id: 1, name: 'one', color: 'blue' as const }];
    show(makeLinks(2, { tags }));
    await select('c1');
    fireEvent.click(screen.getAllByLabelText('Show links with the tag one')[0] ?? document.body);
    await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull());
  });

  it.each<[string, Partial<LinkActionRequest>, string, string | null]>([
    ['Add to favorites', { action: 'favorite' }, 'added to favorites', 'unfavorite'],
    ['Remove from favorites', { action: 'unfavorite' }, 'removed from favorites', 'favorite'],
    ['Archive links', { action: 'archive' }, 'archived', 'unarchive'],
    ['Unarchive links', { action: 'unarchive' }, 'taken out of the archive', 'archive'],
    ['Enable links', { action: 'enable' }, 'enabled', null],
    ['Disable links', { action: 'disable' }, 'disabled', null],
    ['Delete links', { action: 'delete' }, 'deleted', 'restore'],
    ['Set end date', { action: 'set_end', expiresAt: null }, 'changed', null],
  ])('%s changes them, and says how to undo it', async (item, request, result, undo) => {
    const { requests } = show(makeLinks(3), accept());
    await select('c1', 'c3');
    await choose('Actions for the selected links', item);
    if (['disable', 'delete', 'set_end'].includes(request.action ?? ''))
      await press(/^(Disable|Delete|Change) 2 links$/);
    const codes = ['c1', 'c3'];
    await waitFor(() => expect(posted(requests)).toEqual([{ ...request, codes }]));
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    const [toast] = takeToasts();
    expect(toast?.text).toBe(`2 links ${result}.`);
    expect(toast?.action?.label).toBe(undo === null ? undefined : 'Undo');
    if (undo === null) return;
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(posted(requests)[1]).toEqual({ action: undo, codes }));
    await waitFor(() => expect(toasts()).toEqual(['2 links back as before.']));
  });

  it.each([
    ['Add tags', 'add_tags'],
    ['Remove tags', 'remove_tags'],
  ])('%s asks for a tag', async (item, action) => {
    const { requests } = show(makeLinks(1), (asked) =>
      asked.method === 'POST' ? accept()(asked) : { tags: [] },
    );
    await select('c1');
    await choose('Actions for the selected links', item);
    const dialog = within(await screen.findByRole('dialog'));
    const submit = dialog.getByText('Change 1 link').closest('button');
    expect(submit?.disabled).toBe(true);
    fireEvent.change(dialog.getByLabelText('Tags'), { target: { value: 'one,' } });
    expect(submit?.disabled).toBe(false);
    fireEvent.click(submit ?? document.body);
    await waitFor(() =>
      expect(posted(requests)).toEqual([{ action, tags: ['one'], codes: ['c1'] }]),
    );
  });

  it('an end date in the past is rejected', async () => {
    const { requests } = show(makeLinks(1), accept());
    await select('c1');
    await choose('Actions for the selected links', 'Set end date');
    const field = await screen.findByLabelText('End date');
    const submit = screen.getByText('Change 1 link').closest('button');
    fireEvent.change(field, { target: { value: '2020-01-01T00:00' } });
    expect(submit?.disabled).toBe(true);
    expect(screen.getByText('The end date is in the past. Choose a later one.')).toBeTruthy();
    fireEvent.change(field, { target: { value: '2999-01-01T00:00' } });
    fireEvent.click(submit ?? document.body);
    await waitFor(() =>
      expect(posted(requests)).toEqual([
        { action: 'set_end', expiresAt: new Date('2999-01-01T00:00').getTime(), codes: ['c1'] },
      ]),
    );
  });

  it('lists the links that did not change, and undoes only the others', async () => {
    const { requests } = show(makeLinks(3), accept('c2'));
    await select('c1', 'c2', 'c3');
    await choose('Actions for the selected links', 'Archive links');
    const dialog = await screen.findByRole('dialog', { name: '1 link not changed' });
    expect(within(dialog).getByRole('listitem').textContent).toBe('c2On hold.');
    const [toast] = takeToasts();
    expect(toast?.text).toBe('2 links archived.');
    act(() => toast?.action?.onSelect());
    await waitFor(() =>
      expect(posted(requests)[1]).toEqual({ action: 'unarchive', codes: ['c1', 'c3'] }),
    );
  });

  it('no toast reports an action that changed no link', async () => {
    show(makeLinks(1), accept('c1'));
    await select('c1');
    await choose('Actions for the selected links', 'Archive links');
    await screen.findByRole('dialog', { name: '1 link not changed' });
    expect(toasts()).toEqual([]);
  });

  it.each([
    ['some links cannot be changed back', accept('c1'), '1 link could not be changed back.', ''],
    ['the server fails', () => rejection(503, 'Down.'), 'Undo failed.', 'Down.'],
  ])('says that an action is not undone if %s', async (_, answer, text, note) => {
    let isUndo = false;
    show(makeLinks(2), (asked) => (isUndo ? answer(asked) : accept()(asked)));
    await select('c1', 'c2');
    await choose('Actions for the selected links', 'Archive links');
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    isUndo = true;
    const [toast] = takeToasts();
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text, note, tone: 'bad' }]));
  });

  it('an error of an action is gone when its dialog opens again', async () => {
    show(makeLinks(1), () => rejection(503, 'Down.'));
    await select('c1');
    await choose('Actions for the selected links', 'Delete links');
    await press('Delete 1 link');
    await screen.findByText('Down.');
    await press('Cancel');
    await choose('Actions for the selected links', 'Delete links');
    await screen.findByRole('dialog');
    expect(screen.queryByText('Down.')).toBeNull();
  });
});

describe('keys of the list', () => {
  const type = (key: string, init: KeyboardEventInit = {}): void =>
    void fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init });
  const focused = () => document.activeElement?.getAttribute('aria-label');

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
});

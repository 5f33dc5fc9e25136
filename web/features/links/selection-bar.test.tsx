import {
  act,
  cleanup,
  fireEvent,
  renderHook,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LinkActionRequest, UndoAction } from '#contract/links/link-actions.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { makeLinks } from '#web/testing/make-link.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { choose, press, renderPage } from '#web/testing/render-page.tsx';
import { takeToasts, useAnnouncement, waitingToasts } from '#web/ui/announcer.ts';
import { toApiQuery, useLinkFilters } from './link-filters.ts';
import { LinkList } from './link-list.tsx';
import { useLinks } from './queries.ts';

function Page() {
  const list = useLinkFilters();
  return <LinkList query={useLinks(toApiQuery(list.filters))} list={list} onShareTag={vi.fn()} />;
}

/**
 * Shows a list of these links without clicks. `answer` responds to all requests but those of the
 * list and its clicks.
 */
function show(
  urls: ListedLink[],
  answer: (asked: Asked) => unknown = () => ({ tags: [], views: [] }),
  {
    address = '/dashboard',
    nextCursor = null,
  }: { address?: string; nextCursor?: string | null } = {},
) {
  const totals = { links: urls.length, clicks: 0, active: 0, countedAt: null };
  const requests = serve((asked) => {
    if (asked.path === '/api/link-activity') return { links: [] };
    const isList = asked.method === 'GET' && asked.path === '/api/my-urls';
    return isList ? { urls, nextCursor, totals } : answer(asked);
  });
  return { requests, ...renderPage(<Page />, [address]) };
}
const select = async (...codes: string[]) => {
  await screen.findAllByText(/c1$/);
  for (const code of codes) fireEvent.click(screen.getByLabelText(`Select ${code}`));
};
const checked = () =>
  screen
    .queryAllByRole('checkbox', { checked: true })
    .map((box) => box.getAttribute('aria-label')?.replace('Select ', ''));
/**
 * Accepts an action on all links but those with an id in `failed`. Every link changes, so that
 * `undo` takes it back.
 */
const accept =
  (undo: UndoAction | null = null, ...failed: number[]) =>
  ({ body }: { body: unknown }) => {
    const { ids = [] }: LinkActionRequest = JSON.parse(JSON.stringify(body));
    return {
      lines: ids.map((id) =>
        failed.includes(id)
          ? { ok: false, code: `c${id}`, error: 'On hold.' }
          : { ok: true, code: `c${id}`, undo },
      ),
    };
  };
const posted = (requests: string[]): unknown[] =>
  requests
    .filter((text) => text.startsWith('POST '))
    .map((text): unknown => JSON.parse(text.slice(text.indexOf('{'))));
const toasts = () => takeToasts().map(({ text }) => text);
const idsTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  takeToasts();
});

describe('selecting links', () => {
  it('selects and deselects single links, all that match, and none', async () => {
    const { requests } = show(makeLinks(3));
    await select('c1');
    await press('Select all 3 that match');
    expect(requests.join()).not.toContain('/ids');
    expect(screen.getByText('3 selected')).toBeTruthy();
    expect(screen.queryByText(/^Select all/)).toBeNull();
    await select('c2');
    expect(screen.getByText('2 selected')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Selected links' })).toBeTruthy();
    expect(renderHook(useAnnouncement).result.current).toBe('2 links selected.');
    fireEvent.click(screen.getAllByLabelText('Clear selection')[0] ?? document.body);
    await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
  });

  it('Shift selects or deselects the links up to the last one', async () => {
    show(makeLinks(5));
    await select('c2');
    fireEvent.click(screen.getByLabelText('Select c4'), { shiftKey: true });
    expect(checked()).toEqual(['c2', 'c3', 'c4']);
    fireEvent.click(screen.getByLabelText('Select c3'), { shiftKey: true });
    expect(checked()).toEqual(['c2']);
  });

  it('forgets the selection when the filters change', async () => {
    const tags = [{ id: 1, name: 'one', color: 'blue' as const }];
    show(makeLinks(2, { tags }));
    await select('c1');
    fireEvent.click(screen.getAllByLabelText('Show links with the tag one')[0] ?? document.body);
    expect(document.querySelector('ul.opacity-60')).not.toBeNull();
    await waitFor(() => expect(checked()).toEqual([]));
    await waitFor(() => expect(document.querySelector('ul.opacity-60')).toBeNull());
  });

  it('the server says which links match beyond those that are loaded', async () => {
    const { requests } = show(
      makeLinks(2),
      ({ path, body }) =>
        path === '/api/my-urls/ids'
          ? { links: 250, ids: idsTo(250) }
          : accept({ action: 'unarchive' })({ body }),
      { address: '/dashboard?host=example.com', nextCursor: 'more' },
    );
    await screen.findAllByText(/c1$/);
    expect(requests.join()).not.toContain('/ids');
    await select('c2');
    await press('Select all 250 that match');
    expect(requests).toContain('GET /api/my-urls/ids?host=example.com');
    expect(screen.getByText('250 selected')).toBeTruthy();
    await press('Archive');
    await waitFor(() =>
      expect(posted(requests)).toEqual([
        { action: 'archive', ids: idsTo(100) },
        { action: 'archive', ids: idsTo(200).slice(100) },
        { action: 'archive', ids: idsTo(250).slice(200) },
      ]),
    );
    await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
    const [toast] = takeToasts();
    expect(toast?.text).toBe('250 links archived.');
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(posted(requests)).toHaveLength(6));
    await waitFor(() => expect(toasts()).toEqual(['250 links back as before.']));
  });

  it('offers to select all that match once their number is known, unless that fails', async () => {
    let fail = (): void => undefined;
    const { requests } = show(
      makeLinks(1),
      ({ path }) =>
        path === '/api/my-urls/ids'
          ? new Promise((resolve) => (fail = () => resolve(rejection(503, 'Down.'))))
          : { tags: [], views: [] },
      { nextCursor: 'more' },
    );
    await select('c1');
    const button = screen.getByRole('button', { name: 'Select all that match' });
    expect(button.getAttribute('aria-busy')).toBe('true');
    await waitFor(() => expect(requests).toContain('GET /api/my-urls/ids'));
    fail();
    await waitFor(() => expect(screen.queryByText(/^Select all/)).toBeNull());
  });
});

describe('actions on the selected links', () => {
  it.each<[string, Partial<LinkActionRequest>, string, asks?: RegExp]>([
    ['Add to favorites', { action: 'favorite' }, 'added to favorites'],
    ['Remove from favorites', { action: 'unfavorite' }, 'removed from favorites'],
    ['Enable links', { action: 'enable' }, 'enabled'],
    ['Disable links', { action: 'disable' }, 'disabled', /^Disable 2 links\?They will stop/],
    ['Set end date', { action: 'set_end', expiresAt: null }, 'changed', /^Set the end date of/],
    ['Set destination checks', { action: 'set_watch', watch: 'on' }, 'changed', /^Set the de/],
    ['Archive', { action: 'archive' }, 'archived'],
    ['Delete', { action: 'delete' }, 'deleted', /^Delete 2 links\?Visitors will see/],
  ])('%s changes them, and one press undoes it', async (item, request, result, asks) => {
    const undo: UndoAction = { action: 'set_end', expiresAt: 7 };
    const { requests } = show(makeLinks(3), accept(undo));
    await select('c1', 'c3');
    if (['Archive', 'Delete'].includes(item)) await press(item);
    else await choose('More actions for the selected links', item);
    if (asks !== undefined) {
      expect((await screen.findByRole('dialog')).textContent).toMatch(asks);
      await press(/^(Disable|Delete|Change) 2 links$/);
    }
    const ids = [1, 3];
    await waitFor(() => expect(posted(requests)).toEqual([{ ...request, ids }]));
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    const [toast] = takeToasts();
    expect(toast?.text).toBe(`2 links ${result}.`);
    expect(toast?.action?.label).toBe('Undo');
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(posted(requests)[1]).toEqual({ ...undo, ids }));
    await waitFor(() => expect(toasts()).toEqual(['2 links back as before.']));
  });

  it('one link is deleted without a question', async () => {
    const { requests } = show(makeLinks(2), accept({ action: 'restore' }));
    await choose('More actions for c1', 'Delete link');
    await waitFor(() => expect(posted(requests)).toEqual([{ action: 'delete', ids: [1] }]));
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([
        { text: '1 link deleted.', note: 'In the trash for up to 30 days.' },
      ]),
    );
    await select('c2');
    await press('Delete');
    await waitFor(() => expect(posted(requests)[1]).toEqual({ action: 'delete', ids: [2] }));
  });

  it('in the archive, links are unarchived', async () => {
    const { requests } = show(makeLinks(1), accept(), { address: '/dashboard?status=archived' });
    await select('c1');
    await press('Unarchive');
    await waitFor(() => expect(posted(requests)).toEqual([{ action: 'unarchive', ids: [1] }]));
    await waitFor(() => expect(toasts()).toEqual(['1 link taken out of the archive.']));
  });

  it.each([
    ['Tag', 'add_tags', 'Add tags to 1 link', '1 link tagged.'],
    ['Remove tags', 'remove_tags', 'Remove tags from 1 link', '1 link changed.'],
  ])('%s asks for a tag', async (item, action, name, result) => {
    const { requests, client } = show(makeLinks(1), (asked) =>
      asked.method === 'POST' ? accept()(asked) : { tags: [] },
    );
    await select('c1');
    if (item === 'Tag') await press(item);
    else await choose('More actions for the selected links', item);
    const dialog = within(await screen.findByRole('dialog', { name }));
    expect(dialog.queryByText('Enter at least one tag.')).toBeNull();
    await press('Change 1 link');
    expect(dialog.getByText('Enter at least one tag.')).toBeTruthy();
    expect(posted(requests)).toEqual([]);
    fireEvent.change(dialog.getByLabelText('Tags'), { target: { value: 'one,' } });
    client.setQueryData(['tags'], []);
    await press('Change 1 link');
    await waitFor(() => expect(posted(requests)).toEqual([{ action, tags: ['one'], ids: [1] }]));
    await waitFor(() => expect(toasts()).toEqual([result]));
    expect(client.getQueryState(['tags'])?.isInvalidated).toBe(true);
  });

  it('an end date in the past is rejected', async () => {
    const { requests } = show(makeLinks(1), accept());
    await select('c1');
    await choose('More actions for the selected links', 'Set end date');
    const field = await screen.findByLabelText('End date');
    fireEvent.change(field, { target: { value: '2020-01-01T00:00' } });
    expect(screen.getByText('The end date is in the past. Choose a later one.')).toBeTruthy();
    await press('Change 1 link');
    expect(posted(requests)).toEqual([]);
    fireEvent.change(field, { target: { value: '2999-01-01T00:00' } });
    await press('Change 1 link');
    const expiresAt = new Date('2999-01-01T00:00').getTime();
    await waitFor(() =>
      expect(posted(requests)).toEqual([{ action: 'set_end', expiresAt, ids: [1] }]),
    );
  });

  it('lists the links that did not change, and undoes only the others', async () => {
    const { requests } = show(makeLinks(3), accept({ action: 'unarchive' }, 2));
    await select('c1', 'c2', 'c3');
    await press('Archive');
    const dialog = await screen.findByRole('dialog', { name: '1 link not changed' });
    expect(within(dialog).getByRole('listitem').textContent).toBe('c2On hold.');
    const [toast] = takeToasts();
    expect(toast?.text).toBe('2 links archived.');
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(posted(requests)[1]).toEqual({ action: 'unarchive', ids: [1, 3] }));
    fireEvent.click(screen.getByText('Close'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('an action that changed no link offers no Undo', async () => {
    show(makeLinks(1), accept(null));
    await select('c1');
    await press('Archive');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ action: null }]));
  });

  it('no toast reports an action that failed for every link', async () => {
    show(makeLinks(1), accept(null, 1));
    await select('c1');
    await press('Archive');
    await screen.findByRole('dialog', { name: '1 link not changed' });
    expect(toasts()).toEqual([]);
  });

  it.each([
    ['some links cannot be changed back', accept(null, 1), '1 link could not be changed back.', ''],
    ['the server fails', () => rejection(503, 'Down.'), 'Undo failed.', 'Down.'],
  ])('says that an action is not undone if %s', async (_, answer, text, note) => {
    let isUndo = false;
    const lines = [1, 2].map((expiresAt) => {
      return { ok: true, code: '', undo: { action: 'set_end', expiresAt } };
    });
    const { requests } = show(makeLinks(2), (asked) => (isUndo ? answer(asked) : { lines }));
    await select('c1', 'c2');
    await press('Archive');
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    isUndo = true;
    const [toast] = takeToasts();
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text, note, tone: 'bad' }]));
    // The first that fails is the last.
    expect(posted(requests)).toHaveLength(note === '' ? 3 : 2);
  });

  it('an error of an action is in its dialog, and gone when it opens again', async () => {
    let finish = (): void => undefined;
    let count = 0;
    show(makeLinks(2), (asked) => {
      if (asked.method === 'GET' || (count += 1) < 3) return rejection(503, 'Down.');
      return new Promise((resolve) => (finish = () => resolve(accept()(asked))));
    });
    await select('c1', 'c2');
    await press('Delete');
    await press('Delete 2 links');
    await screen.findByText('Down.');
    expect(toasts()).toEqual([]);
    await press('Cancel');
    await press('Delete');
    await screen.findByRole('dialog');
    expect(screen.queryByText('Down.')).toBeNull();
    await press('Delete 2 links');
    await screen.findByText('Down.');
    expect(toasts()).toEqual([]);
    await press('Delete 2 links');
    await screen.findByText('Deleting links: 0 of 2');
    const button = screen.getByRole('button', { name: 'Delete 2 links' });
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(button.className).toContain('bg-bad');
    await press('Stop');
    expect(screen.queryByRole('dialog')).toBeNull();
    finish();
    await waitFor(() => expect(toasts()).toEqual(['2 links deleted.']));
  });

  it('an action without a dialog says that it failed, and keeps the selection', async () => {
    show(makeLinks(2), () => rejection(503, 'Down.'));
    await select('c1');
    await press('Archive');
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([
        { text: 'That did not work.', note: 'Down.', tone: 'bad' },
      ]),
    );
    expect(checked()).toEqual(['c1']);
  });
});

describe('an action on many links', () => {
  /** Answers with ids for all of them. `onAction` answers what is done to them. */
  const many =
    (links: number, onAction: (asked: Asked) => unknown) =>
    (asked: Asked): unknown => {
      if (asked.path === '/api/my-urls/ids') return { links, ids: idsTo(links) };
      return asked.method === 'GET' ? { tags: [], views: [] } : onAction(asked);
    };

  /** A list whose server answers each request when the test says so. */
  function showSlow(links: number) {
    const waiting: (() => void)[] = [];
    const shown = show(
      makeLinks(1),
      many(links, (asked) => {
        const { lines } = accept({ action: 'unarchive' })(asked);
        lines.splice(0, 20, ...accept({ action: 'favorite' })(asked).lines.slice(0, 20));
        return new Promise((resolve) => waiting.push(() => resolve({ lines })));
      }),
      { nextCursor: 'more' },
    );
    const answer = async () => {
      await waitFor(() => expect(waiting).not.toEqual([]));
      await act(async () => waiting.shift()?.());
    };
    return { ...shown, answer };
  }

  it('shows the progress of an action on many links and of its undo, and can stop it', async () => {
    const { requests, answer } = showSlow(1312);
    await select('c1');
    await press('Select all 1,312 that match');
    await press('Archive');
    expect((await screen.findByRole('progressbar')).getAttribute('aria-valuetext')).toBe(
      'Changing links: 0 of 1,312',
    );
    await answer();
    await screen.findByText('Changing links: 100 of 1,312');
    expect(screen.getByRole('progressbar').getAttribute('value')).toBe('100');
    await press('Stop');
    await answer();
    expect(await screen.findByText('1,112 selected')).toBeTruthy();
    expect(posted(requests)).toHaveLength(2);
    const [toast] = takeToasts();
    expect(toast?.text).toBe('200 links archived.');
    fireEvent.click(screen.getAllByLabelText('Clear selection')[0] ?? document.body);
    act(() => toast?.action?.onSelect());
    for (const done of [0, 40, 140]) {
      await screen.findByText(`Undoing: ${done} of 200`);
      await answer();
    }
    await waitFor(() => expect(toasts()).toEqual(['200 links back as before.']));
  });

  it('a failure in the middle reports what was done, and keeps the rest selected', async () => {
    let count = 0;
    show(
      makeLinks(1),
      many(150, (asked) => {
        count += 1;
        return count === 2 ? rejection(503, 'Down.') : accept({ action: 'unarchive' })(asked);
      }),
      { nextCursor: 'more' },
    );
    await select('c1');
    await press('Select all 150 that match');
    await press('Archive');
    await waitFor(() => expect(toasts()).toEqual(['100 links archived.', 'That did not work.']));
    expect(await screen.findByText('50 selected')).toBeTruthy();
  });

  it('its undo can be tried again for the links that it did not reach', async () => {
    let count = 0;
    const { requests } = show(
      makeLinks(1),
      many(150, (asked) => {
        count += 1;
        return count === 4 ? rejection(503, 'Down.') : accept({ action: 'unarchive' })(asked);
      }),
      { nextCursor: 'more' },
    );
    await select('c1');
    await press('Select all 150 that match');
    await press('Archive');
    await waitFor(() => expect(posted(requests)).toHaveLength(2));
    await waitFor(() => expect(screen.queryByText('150 selected')).toBeNull());
    act(() => takeToasts()[0]?.action?.onSelect());
    await waitFor(() => expect(posted(requests)).toHaveLength(4));
    await waitFor(() => expect(waitingToasts()).not.toEqual([]));
    const [again] = takeToasts();
    expect([again?.text, again?.action?.label]).toEqual(['Undo failed.', 'Try again']);
    act(() => again?.action?.onSelect());
    await waitFor(() =>
      expect(posted(requests)[4]).toEqual({ action: 'unarchive', ids: idsTo(150).slice(100) }),
    );
  });
});

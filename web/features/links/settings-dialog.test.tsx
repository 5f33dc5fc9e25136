import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedLink } from '#contract/links/links.ts';
import { config } from '#web/shared/page/config.ts';
import { rejection, serve, type Asked } from '#web/testing/fake-server.ts';
import { domainList, makeDomain, makeSharedDomain } from '#web/testing/make-domain.ts';
import { makeLink, makeLinks } from '#web/testing/make-link.ts';
import { choose, press, renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { toApiQuery, useLinkFilters } from './link-filters.ts';
import { LinkList } from './link-list.tsx';
import { useLinks } from './queries.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  takeToasts();
});

function Page() {
  const list = useLinkFilters();
  return <LinkList query={useLinks(toApiQuery(list.filters))} list={list} onShareTag={vi.fn()} />;
}

/**
 * Selects all of these links, 2 of which the first page of the list has if there is another one,
 * and opens the dialog. `answer` responds to changes, `more` are the links of the second page.
 */
async function open(
  links: ListedLink[],
  answer: (asked: Asked) => unknown = () => makeLink(),
  { pageSize = links.length, more = Promise.resolve(links.slice(pageSize)) } = {},
) {
  const totals = { links: links.length, clicks: 0, active: 0, countedAt: null };
  const requests = serve((asked) => {
    if (asked.path === '/api/domains')
      return domainList([makeSharedDomain('link.example'), makeDomain()]);
    if (asked.path === '/api/link-activity') return { links: [] };
    if (asked.path === '/api/my-urls/ids')
      return { links: links.length, ids: links.map(({ id }) => id) };
    if (asked.path !== '/api/my-urls')
      return asked.method === 'GET' ? { tags: [], views: [] } : answer(asked);
    return asked.query.has('cursor')
      ? more.then((urls) => ({ urls, nextCursor: null, totals }))
      : {
          urls: links.slice(0, pageSize),
          nextCursor: pageSize < links.length ? 'more' : null,
          totals,
        };
  });
  renderPage(<Page />, ['/dashboard']);
  await screen.findAllByText(/c1$/);
  fireEvent.click(screen.getByLabelText('Select c1'));
  if (links.length > 1) await press(/^Select all \d+ that match$/);
  await choose('More actions for the selected links', 'Change settings…');
  await screen.findByRole('dialog');
  return { requests, changes: () => requests.filter((text) => text.startsWith('PATCH ')) };
}
const fill = async (group: RegExp, label: string, value: string) => {
  await press(group);
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
};
const fillFallback = () => fill(/^Start and fallback/, 'Fallback (optional)', 'https://b.example/');
const FALLBACK = '{"fallbackUrl":"https://b.example/"}';

describe('changing settings of the selected links', () => {
  it('sends only what is filled in or removed, and Undo sends what each had', async () => {
    const { changes } = await open([
      makeLink({ id: 1, short_code: 'c1', short_url: 'https://hop.example/c1', click_limit: 5 }),
      ...makeLinks(2).slice(1),
    ]);
    screen.getByText(/^Only what you fill in or remove here changes\./);
    await fillFallback();
    await press(/^Password and click limit/);
    fireEvent.click(screen.getByLabelText('Remove the click limit'));
    expect(screen.queryByLabelText('Click limit (optional)')).toBeNull();
    expect(screen.getAllByText('Undo does not change passwords.')).toHaveLength(1);
    await press(/^Redirect/);
    fireEvent.click(screen.getByLabelText('Change the redirect status'));
    const status = await screen.findByLabelText('Redirect status');
    fireEvent.change(status, { target: { value: '301' } });
    expect(screen.getByLabelText('Change the redirect status')).toHaveProperty('checked', true);
    fireEvent.change(status, { target: { value: '302' } });
    for (const name of [/Fallback https:\/\/b/, /Remove the click limit$/, /Status 302$/])
      screen.getByRole('button', { name });
    await press('Change 2 links');
    const change = '{"fallbackUrl":"https://b.example/","clickLimit":null,"redirectStatus":302}';
    await waitFor(() =>
      expect(changes()).toEqual([`PATCH /api/links/c1 ${change}`, `PATCH /api/links/c2 ${change}`]),
    );
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    expect(screen.queryByRole('dialog')).toBeNull();
    const [toast] = takeToasts();
    expect([toast?.text, toast?.note]).toEqual([
      '2 links changed.',
      'After Undo, click limits count from 0.',
    ]);
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: '2 links back as before.' }]));
    expect(changes().slice(2)).toEqual([
      'PATCH /api/links/c1 {"fallbackUrl":"","clickLimit":5}',
      'PATCH /api/links/c2 {"fallbackUrl":""}',
    ]);
  });

  it('a setting that is emptied or kept after all is not sent', async () => {
    const { changes } = await open(makeLinks(1));
    expect(screen.queryByText('Fill in or remove at least one setting.')).toBeNull();
    await press('Change 1 link');
    screen.getByText('Fill in or remove at least one setting.');
    await fillFallback();
    fireEvent.change(screen.getByLabelText('Fallback (optional)'), { target: { value: '' } });
    fireEvent.click(screen.getByLabelText('Remove the start date'));
    fireEvent.click(screen.getByLabelText('Remove the start date'));
    await press('Change 1 link');
    screen.getByText('Fill in or remove at least one setting.');
    expect(changes()).toEqual([]);
  });

  it('a password offers no Undo', async () => {
    const { changes } = await open(makeLinks(1, { has_password: true }));
    await fill(/^Password and click limit/, 'Password (optional)', 'sesame');
    await press('Change 1 link');
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([
        { text: '1 link changed.', note: 'Undo does not change passwords.', action: null },
      ]),
    );
    expect(changes()).toEqual(['PATCH /api/links/c1 {"password":"sesame"}']);
  });

  it('lists the links that could not be changed, and undoes only the others', async () => {
    const { changes } = await open(makeLinks(3), ({ path }) =>
      path.endsWith('c2') ? rejection(403, 'On hold.') : makeLink(),
    );
    await fillFallback();
    await press('Change 3 links');
    const dialog = await screen.findByRole('dialog', { name: '1 link not changed' });
    expect(within(dialog).getByRole('listitem').textContent).toBe('c2On hold.');
    const [toast] = takeToasts();
    expect(toast?.text).toBe('2 links changed.');
    act(() => toast?.action?.onSelect());
    await waitFor(() =>
      expect(changes().slice(3)).toEqual([
        'PATCH /api/links/c1 {"fallbackUrl":""}',
        'PATCH /api/links/c3 {"fallbackUrl":""}',
      ]),
    );
  });

  it('an error in what was filled in is at its field, and no other link is sent', async () => {
    const { changes } = await open(makeLinks(3), () =>
      rejection(400, 'Not a link.', { field: 'fallbackUrl' }),
    );
    await fillFallback();
    await press(/^Start and fallback/);
    const field = screen.getByLabelText('Fallback (optional)');
    expect(field.closest('[hidden]')).not.toBeNull();
    await press('Change 3 links');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(field.closest('[hidden]')).toBeNull();
    screen.getByText('Not a link.');
    expect(changes()).toHaveLength(1);
    expect(screen.getByText('3 selected')).toBeTruthy();
    const remove = screen.getByLabelText('Remove the fallback');
    fireEvent.click(remove);
    await press('Change 3 links');
    await waitFor(() => expect(changes()).toHaveLength(2));
    await screen.findByText('Not a link.');
    expect(remove.getAttribute('aria-invalid')).toBe('true');
  });

  it('shows the progress of a change, and stops after the link that was sent last', async () => {
    const waiting: (() => void)[] = [];
    const { changes } = await open(
      makeLinks(4),
      () => new Promise((resolve) => waiting.push(() => resolve(makeLink()))),
    );
    const answer = async () => {
      await waitFor(() => expect(waiting).not.toEqual([]));
      await act(async () => waiting.shift()?.());
    };
    await fillFallback();
    await press('Change 4 links');
    await answer();
    await screen.findByText('Changing links: 1 of 4');
    await press('Stop');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await answer();
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: '2 links changed.' }]));
    expect(changes()).toEqual([
      `PATCH /api/links/c1 ${FALLBACK}`,
      `PATCH /api/links/c2 ${FALLBACK}`,
    ]);
    expect(await screen.findByText('2 selected')).toBeTruthy();
  });

  it('a failed change is reported in a toast once its dialog is closed', async () => {
    let fail = (): void => undefined;
    await open(
      makeLinks(2),
      () => new Promise((resolve) => (fail = () => resolve(rejection(503, 'Down.')))),
    );
    await fillFallback();
    await press('Change 2 links');
    await screen.findByText('Changing links: 0 of 2');
    await press('Cancel');
    await act(async () => fail());
    await waitFor(() =>
      expect(takeToasts()).toMatchObject([{ text: 'That did not work.', note: 'Down.' }]),
    );
  });

  it('loads the selected links that the list does not show yet', async () => {
    const links = makeLinks(3);
    let load = (): void => undefined;
    const more = new Promise<ListedLink[]>((resolve) => (load = () => resolve(links.slice(2))));
    const { changes } = await open(links, () => makeLink(), { pageSize: 2, more });
    const send = screen.getByRole('button', { name: 'Change 3 links' });
    expect(send.getAttribute('aria-busy')).toBe('true');
    load();
    await fillFallback();
    await waitFor(() => expect(screen.getByLabelText('Select c3')).toBeTruthy());
    await press('Change 3 links');
    await waitFor(() => expect(changes()).toHaveLength(3));
  });

  it('says which of the selected links cannot be loaded, and changes the others', async () => {
    const more = Promise.resolve([]);
    const { changes } = await open(makeLinks(100), () => makeLink(), { pageSize: 2, more });
    await screen.findByText('98 selected links could not be loaded and will not change.');
    screen.getByRole('dialog', { name: 'Change settings of 2 links' });
    await fillFallback();
    await press('Change 2 links');
    await waitFor(() => expect(changes()).toHaveLength(2));
  });

  it('changes at most 100 links at a time', async () => {
    await open(makeLinks(101), () => makeLink(), { pageSize: 2 });
    expect(screen.getByRole('dialog').textContent).toContain(
      'You can change the settings of up to 100 links at a time. You have selected 101.',
    );
    expect(screen.queryByRole('button', { name: /^Change / })).toBeNull();
  });

  it('asks before what was filled in is lost', async () => {
    await open(makeLinks(1));
    await press(/^Start and fallback/);
    const field = await screen.findByLabelText('Fallback (optional)');
    act(() => field.focus());
    fireEvent.change(field, { target: { value: 'https://b.example/' } });
    fireEvent.keyDown(field, { key: 'Escape' });
    await screen.findByRole('dialog', { name: 'Discard changes?' });
  });
});

describe('moving the selected links to another domain', () => {
  const KEY = 'd.abcdefghjk/sale';
  const PATH = `PATCH /api/links/${encodeURIComponent(KEY)}`;
  const onDomain = makeLink({
    id: 2,
    short_code: KEY,
    short_url: 'https://go.example.com/sale',
    domain: 'go.example.com',
  });
  const mixed = [...makeLinks(1), onDomain, ...makeLinks(3).slice(2)];
  const chooseDomain = async (value: string) => {
    await press(/^Domain/);
    const select = await screen.findByLabelText<HTMLSelectElement>('Domain');
    fireEvent.change(select, { target: { value } });
    return select;
  };

  beforeEach(() => {
    config.domains = true;
  });
  afterEach(() => {
    config.domains = false;
  });

  it('sends the domain, and Undo moves back each link that was elsewhere', async () => {
    const { changes } = await open(mixed);
    const select = await chooseDomain('link.example');
    expect(within(select).getAllByRole('option')).toHaveLength(4);
    screen.getByText(/^Earlier short URLs keep redirecting/);
    await press('Change 3 links');
    await waitFor(() =>
      expect(changes()).toEqual([
        'PATCH /api/links/c1 {"domain":"link.example"}',
        `${PATH} {"domain":"link.example"}`,
        'PATCH /api/links/c3 {"domain":"link.example"}',
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [toast] = takeToasts();
    act(() => toast?.action?.onSelect());
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: '3 links back as before.' }]));
    expect(changes().slice(3)).toEqual([
      'PATCH /api/links/c1 {"domain":""}',
      `${PATH} {"domain":"go.example.com"}`,
      'PATCH /api/links/c3 {"domain":""}',
    ]);
  });

  it('can move to the own short host, and Undo leaves links there', async () => {
    const { changes } = await open(mixed);
    await fillFallback();
    await chooseDomain('');
    await press('Change 3 links');
    const change = '{"fallbackUrl":"https://b.example/","domain":""}';
    await waitFor(() => expect(changes()).toContain(`PATCH /api/links/c3 ${change}`));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [toast] = takeToasts();
    act(() => toast?.action?.onSelect());
    await waitFor(() =>
      expect(changes().slice(3)).toEqual([
        'PATCH /api/links/c1 {"fallbackUrl":""}',
        `${PATH} {"fallbackUrl":"","domain":"go.example.com"}`,
        'PATCH /api/links/c3 {"fallbackUrl":""}',
      ]),
    );
  });

  it('a link whose code is taken there is listed by its code, and the others move', async () => {
    const { changes } = await open(mixed, ({ path }) =>
      path.includes('sale')
        ? rejection(409, 'This code is taken.', { field: 'customCode' })
        : makeLink(),
    );
    await chooseDomain('link.example');
    await press('Change 3 links');
    const dialog = await screen.findByRole('dialog', { name: '1 link not changed' });
    expect(within(dialog).getByRole('listitem').textContent).toBe('saleThis code is taken.');
    expect(changes()).toHaveLength(3);
  });

  it('an error about the domain is at its field, and no other link is sent', async () => {
    const { changes } = await open(mixed, () =>
      rejection(409, 'Not connected yet.', { field: 'domain' }),
    );
    const select = await chooseDomain('link.example');
    await press('Change 3 links');
    await waitFor(() => expect(select.getAttribute('aria-invalid')).toBe('true'));
    screen.getByText('Not connected yet.');
    expect(changes()).toHaveLength(1);
  });

  it('stays as it is after all, and is absent where there is only one domain', async () => {
    const { changes } = await open(makeLinks(1));
    await chooseDomain('go.example.com');
    fireEvent.change(screen.getByLabelText('Domain'), { target: { value: '-' } });
    await press('Change 1 link');
    screen.getByText('Fill in or remove at least one setting.');
    expect(changes()).toEqual([]);
    cleanup();
    config.domains = false;
    const { requests } = await open(makeLinks(1));
    expect(screen.queryByRole('button', { name: /^Domain/ })).toBeNull();
    expect(requests).not.toContain('GET /api/domains');
  });
});

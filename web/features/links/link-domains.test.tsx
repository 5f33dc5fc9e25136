import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkHistory, LinkState, ListedLink } from '#contract/links/links.ts';
import { config } from '#web/shared/page/config.ts';
import { domainList, makeDomain, makeSharedDomain } from '#web/testing/make-domain.ts';
import { makeLink, PLAIN_REDIRECT } from '#web/testing/make-link.ts';
import { press, renderPage } from '#web/testing/render-page.tsx';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { FilterChips } from './filter-chips.tsx';
import { LinkDialog } from './link-dialogs.tsx';
import { chosenKinds, toApiQuery } from './link-filters.ts';
import type { DialogAction } from './link-row.tsx';

const KEY = 'd.abcdefghjk/sale';
const ON_DOMAIN: Partial<ListedLink> = {
  short_code: KEY,
  short_url: 'https://go.example.com/sale',
  domain: 'go.example.com',
};
const STATE: LinkState = {
  ...PLAIN_REDIRECT,
  short_code: 'sale',
  domain: '',
  long_url: 'https://example.com/a',
  status: 'active',
  title: '',
  note: '',
  tags: [],
  archived: false,
  card_at: null,
};
const PATH = `/api/links/${encodeURIComponent(KEY)}`;
const LIST = domainList([makeSharedDomain('link.example'), makeDomain()]);

beforeEach(() => {
  config.domains = true;
  config.shortOrigin = 'https://hop.example';
});
afterEach(() => {
  cleanup();
  config.domains = false;
  config.shortOrigin = 'http://localhost:3000';
  vi.unstubAllGlobals();
});

async function open(
  action: DialogAction,
  link: Partial<ListedLink>,
  answers: Parameters<typeof serveRoutes>[0] = {},
) {
  const calls = serveRoutes({
    'GET /api/domains': LIST,
    'GET /api/tags': { tags: [] },
    [`PATCH ${PATH}`]: {},
    ...answers,
  });
  renderPage(<LinkDialog link={makeLink(link)} action={action} onClose={() => undefined} />);
  await screen.findByRole('dialog');
  return calls;
}
const choicesOf = (select: HTMLElement): (string | null)[] =>
  within(select)
    .getAllByRole('option', { hidden: true })
    .map(({ textContent }) => textContent);

describe('links on domains', () => {
  it('Edit moves a link, and says that its earlier short URL keeps redirecting', async () => {
    const calls = await open('edit', ON_DOMAIN);
    const select = await screen.findByLabelText<HTMLSelectElement>('Domain');
    expect(select.value).toBe('go.example.com');
    expect(choicesOf(select)).toEqual(['hop.example', 'link.example', 'go.example.com']);
    expect(screen.queryByText(/keeps redirecting/)).toBeNull();
    fireEvent.change(select, { target: { value: '' } });
    expect(screen.getByText(/^go.example.com\/sale keeps redirecting/)).toBeTruthy();
    await press('Save link');
    await waitFor(() =>
      expect(writesOf(calls)).toEqual([{ call: `PATCH ${PATH}`, body: { domain: '' } }]),
    );
  });

  it('Edit shows at the domain that the code is taken there', async () => {
    await open('edit', ON_DOMAIN, {
      [`PATCH ${PATH}`]: failure(409, 'This code is taken.', { field: 'customCode' }),
    });
    const select = await screen.findByLabelText('Domain');
    fireEvent.change(select, { target: { value: 'link.example' } });
    await press('Save link');
    expect(await screen.findByText('This code is taken.')).toBeTruthy();
    await waitFor(() => expect(select.getAttribute('aria-invalid')).toBe('true'));
  });

  it('Edit has no domain where there is only one, and asks for none', async () => {
    config.domains = false;
    const calls = await open('edit', {});
    expect(screen.queryByLabelText('Domain')).toBeNull();
    expect(calls.map(({ call }) => call)).not.toContain('GET /api/domains');
  });

  it('Edit keeps the domain of a link whose domain takes no new links', async () => {
    await open('edit', { ...ON_DOMAIN, domain: 'lost.example.com' });
    const select = await screen.findByLabelText<HTMLSelectElement>('Domain');
    expect(select.value).toBe('lost.example.com');
    fireEvent.change(select, { target: { value: '' } });
    expect(screen.queryByText(/keeps redirecting/)).toBeNull();
  });

  it('Rename shows codes without ids, and goes back to one on the own host', async () => {
    const calls = await open('rename', {
      ...ON_DOMAIN,
      earlier_codes: ['d.abcdefghjk/first', 'old', 'd.mnpqrtuvwx/there'],
    });
    expect(screen.getByLabelText('New code')).toHaveProperty('value', 'sale');
    const earlier = within(screen.getByRole('region', { name: 'Earlier codes' }));
    expect(earlier.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'firstUse again',
      'hop.example/oldUse again',
      'there on another domain',
    ]);
    await press('Use hop.example/old again');
    await waitFor(() =>
      expect(writesOf(calls).map(({ body }) => body)).toEqual([{ customCode: 'old', domain: '' }]),
    );
    const again = screen.getByLabelText<HTMLButtonElement>('Use first again');
    await waitFor(() => expect(again.disabled).toBe(false));
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    fireEvent.click(again);
    await waitFor(() => expect(again.disabled).toBe(true));
  });

  it('History names both short URLs of a move, and restores the domain', async () => {
    const state = { ...STATE, short_code: 'd.mnpqrtuvwx/sale', domain: 'old.example.com' };
    const changes: LinkHistory['changes'] = [
      {
        at: '2026-11-02T12:00:00Z',
        keyName: '',
        isByWatcher: false,
        isPasswordReplaced: false,
        before: state,
        after: { ...state, short_code: KEY, domain: 'go.example.com' },
      },
    ];
    const calls = await open('history', ON_DOMAIN, { [`GET ${PATH}/history`]: { changes } });
    const [first] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toContain('Short URL: old.example.com/sale → go.example.com/sale');
    await press(/^Restore the version/);
    await waitFor(() =>
      expect(writesOf(calls).map(({ body }) => body)).toEqual([{ domain: 'old.example.com' }]),
    );
  });

  it('History names the own short host of a link that moved from it', async () => {
    const at = '2026-11-02T12:00:00Z';
    const change = { at, keyName: '', isByWatcher: false, isPasswordReplaced: false };
    const before = { ...STATE, short_code: 'first' };
    const after = { ...STATE, short_code: KEY, domain: 'go.example.com' };
    await open('history', ON_DOMAIN, {
      [`GET ${PATH}/history`]: { changes: [{ ...change, before, after }] },
    });
    const [first] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toContain('Short URL: hop.example/first → go.example.com/sale');
  });

  it('many links are created on the chosen domain', async () => {
    const calls = serveRoutes({
      'GET /api/domains': { ...LIST, defaultDomain: 'link.example' },
      'POST /api/shorten/bulk': { lines: [], made: 0, usage: null },
    });
    renderPage(<BulkDialog quotaChanges={0} onClose={() => undefined} onCreated={vi.fn()} />);
    const select = await screen.findByLabelText<HTMLSelectElement>('Domain');
    expect(select.value).toBe('link.example');
    fireEvent.change(select, { target: { value: 'go.example.com' } });
    fireEvent.change(screen.getByLabelText('Destinations, one per line'), {
      target: { value: 'example.com' },
    });
    await press('Shorten 1 link');
    await waitFor(() =>
      expect(writesOf(calls).map(({ body }) => body)).toEqual([
        { longUrls: ['example.com'], domain: 'go.example.com' },
      ]),
    );
  });
});

describe('filter by domain', () => {
  it('appears only where there are several domains', () => {
    expect(chosenKinds()).toContain('domain');
    config.domains = false;
    expect(chosenKinds()).not.toContain('domain');
  });

  it('names the own host in the address, and asks for it by an empty name', () => {
    expect(toApiQuery({ domain: 'hop.example' })).toBe('domain=');
    expect(toApiQuery({ domain: 'go.example.com' })).toBe('domain=go.example.com');
  });

  it('offers every domain, and the one in the address', async () => {
    serveRoutes({ 'GET /api/domains': LIST });
    const set = vi.fn();
    renderPage(
      <FilterChips
        list={{ filters: { domain: 'lost.example.com' }, set, clear: vi.fn() }}
        kinds={['domain']}
        added={null}
        onRemove={vi.fn()}
      />,
    );
    await screen.findByRole('option', { name: 'go.example.com' });
    const select = screen.getByLabelText<HTMLSelectElement>('Domain');
    expect(choicesOf(select)).toEqual([
      'lost.example.com',
      'hop.example',
      'link.example',
      'go.example.com',
    ]);
    fireEvent.change(select, { target: { value: 'hop.example' } });
    expect(set).toHaveBeenCalledWith({ domain: 'hop.example' });
  });
});

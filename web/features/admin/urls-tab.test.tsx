import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AdminLink } from '#contract/moderation/admin.ts';
import { failure, serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { currentAddress, goBack, press, showPage } from '#web/testing/render-page.tsx';
import { UrlsTab } from './urls-tab.tsx';

const OWNER = '1a2b3c4d-0000-4000-8000-000000000000';
const linkOf = (short_code: string, over: Partial<AdminLink> = {}): AdminLink => ({
  short_code,
  domain: null,
  long_url: 'https://example.com/a',
  click_count: 1,
  created_at: '2026-11-20T12:00:00Z',
  status: 'active',
  user_id: null,
  user_email: '',
  holds: [],
  ...over,
});
const held = (kind: AdminLink['holds'][number]['kind']) => [{ kind, value: 'b', reason: 'x' }];
const list = (nextCursor: string | null, ...urls: AdminLink[]) => ({
  'GET /api/admin': { urls, nextCursor },
});

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it.each<[string, Partial<AdminLink>, string | null, string, string]>([
  ['active', {}, 'Disable link /sale', '', ''],
  [
    'held by moderation',
    { status: 'disabled', holds: held('link') },
    'Restore link /sale',
    'disabled',
    'Disabled by an action on this linkRestore link…',
  ],
  [
    'held by its owner',
    { status: 'disabled', holds: held('owner') },
    null,
    'disabled',
    'Disabled by its owner',
  ],
  [
    'on the blocklist',
    { status: 'disabled', holds: held('blocklist') },
    null,
    'disabled',
    'Disabled by the blocklist (b)',
  ],
  ['deleted', { status: 'deleted' }, null, 'deleted', ''],
])('a link that is %s has the button that can help', async (_, over, name, badge, end) => {
  serveRoutes(list(null, linkOf('sale', over)));
  showPage(<UrlsTab />, '/admin?tab=urls');
  const row = within(await screen.findByRole('listitem'));
  expect(row.queryAllByRole('button').map((one) => one.getAttribute('aria-label'))).toEqual(
    name === null ? [] : [name],
  );
  expect(screen.getByRole('listitem').textContent).toBe(
    `/sale${badge}example.com/a1 click · Nov 20, 2026 ·by a visitor${end || (name ? 'Disable link…' : '')}`,
  );
});

it('a row of a link on a domain leads to the preview there, and restores the domain', async () => {
  const domain = { host: 'go.acme.com', isShared: false, isSuspended: true };
  const restorable = linkOf('e', { status: 'disabled', holds: held('link') });
  serveRoutes(list(null, linkOf('d.abcdefghjk/sale', { domain, user_id: OWNER }), restorable));
  showPage(<UrlsTab />, '/admin?tab=urls');
  const link = await screen.findByRole('link', { name: 'go.acme.com/sale' });
  expect(link.getAttribute('href')).toMatch(/^\/\/go\.acme\.com(:\d+)?\/sale\+$/);
  expect(screen.getByText('domain suspended')).toBeTruthy();
  await press('Restore domain go.acme.com');
  const dialog = within(await screen.findByRole('dialog', { name: 'Restore domain' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await press('Disable link go.acme.com/sale');
  const select = await screen.findByLabelText('What to disable');
  expect([...select.children].map(({ textContent }) => textContent)).toEqual([
    'Only /sale',
    'All links to example.com and its subdomains',
    'User 1a2b3c4d',
  ]);
  await press('Restore link /e');
  expect(await screen.findByRole('dialog', { name: 'Restore links' })).toBeTruthy();
});

it('a row names its owner and leads to them', async () => {
  serveRoutes(
    list(
      null,
      linkOf('a'),
      linkOf('b', { user_id: OWNER, user_email: 'ann@example.com' }),
      linkOf('c', { user_id: OWNER }),
      linkOf('d', { user_id: `deleted-${OWNER}` }),
    ),
  );
  showPage(<UrlsTab />, '/admin?tab=urls');
  const rows = await screen.findAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('by a visitor');
  expect(rows[3]?.textContent).toContain('of deleted account 1a2b3c4d');
  for (const name of ['ann@example.com', '1a2b3c4d'])
    expect(screen.getByRole('link', { name: new RegExp(name) }).getAttribute('href')).toContain(
      `tab=users&q=${OWNER}`,
    );
});

it('the address filters the list, and only by what a filter offers', async () => {
  const calls = serveRoutes(list(null));
  const address = `/admin?tab=urls&q=x&status=gone&held=yes&owner=${OWNER}`;
  showPage(<UrlsTab />, '/before', address);
  expect(await screen.findByText('No URLs found')).toBeTruthy();
  expect(calls[0]?.call).toBe(`GET /api/admin?action=urls&q=x&held=yes&owner=${OWNER}&cursor=`);
  const options = ['Status', 'Holds', 'Owner'].map((name) =>
    Array.from(
      screen.getByLabelText<HTMLSelectElement>(name).options,
      ({ value, text }) => `${value} ${text}`,
    ).join(),
  );
  expect(options).toEqual([
    ' Any status,active Active,disabled Disabled,deleted Deleted',
    ' Held or not,yes Held,no Not held',
    ` Any owner,visitor Visitors,${OWNER} Only 1a2b3c4d`,
  ]);
  // A search is no step to go back to, but a filter is one.
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'xy' } });
  await waitFor(() => expect(currentAddress()).toBe(address.replace('q=x', 'q=xy')));
  fireEvent.change(screen.getByLabelText('Holds'), { target: { value: 'no' } });
  expect(currentAddress()).toContain('held=no');
  goBack();
  expect(currentAddress()).toContain('held=yes');
  goBack();
  expect(currentAddress()).toBe('/before');
  cleanup();
  showPage(<UrlsTab />, '/admin?tab=urls&owner=visitor');
  const owners = screen.getByLabelText<HTMLSelectElement>('Owner').options;
  expect(Array.from(owners, ({ text }) => text)).toEqual(['Any owner', 'Visitors']);
});

it('a further page follows the first, and its failure keeps the rows', async () => {
  const calls = serveRoutes(list('2', linkOf('first')));
  showPage(<UrlsTab />, '/admin?tab=urls');
  expect(await screen.findByText('1 shown')).toBeTruthy();
  serveRoutes({ 'GET /api/admin': failure(503, 'Down.') });
  await press('Load more');
  expect(await screen.findByText('The URLs could not be loaded.')).toBeTruthy();
  expect(screen.getByText('/first')).toBeTruthy();
  const more = serveRoutes(list(null, linkOf('second')));
  await press('Load more');
  expect(await screen.findByText('/second')).toBeTruthy();
  expect(screen.getByText('/first')).toBeTruthy();
  expect([...calls, ...more].map(({ call }) => /cursor=(.*)$/.exec(call)?.[1])).toEqual(['', '2']);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull());
});

it('a page without rows that has a next one says that older rows are unchecked', async () => {
  serveRoutes(list('1.'));
  showPage(<UrlsTab />, '/admin?tab=urls&held=yes');
  expect(await screen.findByText('Nothing found among the newest entries')).toBeTruthy();
  expect(screen.getByText('Load more to look at older ones.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Clear filters' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Load more' })).toBeTruthy();
});

it('a list that cannot be loaded is not called empty', async () => {
  serveRoutes({ 'GET /api/admin': failure(503, 'Down.') });
  showPage(<UrlsTab />, '/admin?tab=urls');
  expect((await screen.findByRole('alert')).textContent).toContain('The URLs could not be loaded.');
  expect(screen.queryByText('No URLs found')).toBeNull();
});

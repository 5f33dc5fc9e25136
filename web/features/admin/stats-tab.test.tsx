import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AdminLogEntry, AdminStats } from '#contract/moderation/admin.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { LogTab } from './log-tab.tsx';
import { StatsTab } from './stats-tab.tsx';

const AT = '2026-11-20T12:00:00Z';
const SOUND = { ok: true, checked_at: AT, links: 2, drift: [], clicks: { now: 8, before: 4 } };
const stats = (click_proof: AdminStats['click_proof'] = SOUND): AdminStats => ({
  total_users: 11,
  premium_users: 3,
  free_users: 9,
  total_urls: 25,
  new_users: { now: 6, before: 3 },
  new_urls: { now: 7, before: 7 },
  new_reports: { now: 1, before: 2 },
  open_reports: 5,
  recent_urls: [],
  click_proof,
});
const figures = () =>
  Object.fromEntries(
    screen
      .getAllByRole('term')
      .map((term) => [
        term.textContent,
        term.parentElement?.querySelector('dd')?.textContent?.replace(/\s+/g, ' '),
      ]),
  );
const REBUILD = 'Rebuild totals from roll-ups';

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('the statistics show each figure under its own label', async () => {
  serveRoutes({ 'GET /api/admin': stats() });
  showPage(<StatsTab />);
  expect(await screen.findByText('No URLs yet')).toBeTruthy();
  expect(figures()).toMatchObject({
    'Total Users': '11',
    'Premium Users': '3',
    'Free Users': '9',
    'Total URLs': '25',
    'New users': expect.stringMatching(/^6/),
    'New URLs': expect.stringMatching(/^7/),
    Clicks: expect.stringMatching(/^8/),
    Reports: expect.stringMatching(/^1/),
  });
  expect(screen.getByText('5 open')).toBeTruthy();
  expect(
    screen.getByText(/^Click counts verified on .* 2 links match their roll-ups\.$/),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: REBUILD })).toBeNull();
});

it('statistics say that only links clicked lately were checked', async () => {
  serveRoutes({ 'GET /api/admin': stats({ ...SOUND, is_full: false }) });
  showPage(<StatsTab />);
  expect(await screen.findByText(/2 links clicked lately match their roll-ups\. All/)).toBeTruthy();
});

it('statistics that could not be loaded are unknown, not zero, until Retry', async () => {
  let fails = true;
  const down = failure(503, 'Down.');
  serveRoutes({ 'GET /api/admin': () => (fails ? down() : stats()) });
  showPage(<StatsTab />);
  expect(await screen.findByText('The statistics could not be loaded.')).toBeTruthy();
  expect(new Set(Object.values(figures()))).toEqual(new Set(['–']));
  expect(screen.queryByText('No URLs yet')).toBeNull();
  fails = false;
  await press('Retry');
  expect(await screen.findByText('No URLs yet')).toBeTruthy();
  expect(figures()['Total Users']).toBe('11');
  expect(screen.queryByText('The statistics could not be loaded.')).toBeNull();
});

it('before the first check, clicks are unknown and nothing can be rebuilt', async () => {
  serveRoutes({ 'GET /api/admin': stats(null) });
  showPage(<StatsTab />);
  expect(await screen.findByText(/has not run yet/)).toBeTruthy();
  expect(screen.getByText('Known after the daily check')).toBeTruthy();
  expect(figures()['Clicks']).toBe('–');
  expect(screen.queryByRole('button', { name: REBUILD })).toBeNull();
});

it('totals that differ are listed and can be rebuilt', async () => {
  const drift = [{ short_code: 'sale', figure: 'human' as const, expected: 3, found: 4 }];
  const calls = serveRoutes({
    'GET /api/admin': stats({ ...SOUND, ok: false, drift }),
    'POST /api/admin': { success: true },
  });
  showPage(<StatsTab />);
  expect(await screen.findByText(/: total 4, roll-ups 3/)).toBeTruthy();
  await press(REBUILD);
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Totals rebuilt.']));
  expect(writesOf(calls)).toEqual([{ call: 'POST /api/admin', body: { action: 'repair_counts' } }]);
});

const entry = (over: Partial<AdminLogEntry>): AdminLogEntry => ({
  id: 1,
  at: AT,
  adminId: 'system',
  adminEmail: '',
  action: 'repair_counts',
  subject: 'counts',
  subjectEmail: '',
  before: null,
  after: { old: 'value' },
  reason: '',
  ...over,
});

it('the audit log says who did what and why, with the stored values behind it', async () => {
  const entries = [
    entry({}),
    entry({ id: 2, adminEmail: 'a@b.example', adminId: 'a', reason: 'Odd.' }),
  ];
  serveRoutes({ 'GET /api/admin': { entries, nextCursor: null } });
  showPage(<LogTab />);
  const rows = await screen.findAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('Rebuilt the click totals of all links');
  expect(rows[0]?.textContent).toContain('by the system');
  expect(rows[0]?.textContent).not.toContain('Reason');
  expect(rows[1]?.textContent).toContain('Reason: Odd.');
  expect(rows[1]?.textContent).toContain('by a@b.example');
  expect(rows[0]?.querySelector('details')?.open).toBe(false);
  expect(rows[0]?.querySelector('pre')?.textContent).toContain('"old": "value"');
});

it('a recent URL on a domain has its host, and its preview there', async () => {
  const domain = { host: 'go.example.com', isShared: false, isSuspended: false };
  const rest = { long_url: 'https://example.com/', click_count: 1, created_at: AT };
  serveRoutes({
    'GET /api/admin': {
      ...stats(),
      recent_urls: [
        { short_code: 'd.abcdefghjk/sale', domain, ...rest },
        { short_code: 'plain', domain: null, ...rest },
      ],
    },
  });
  showPage(<StatsTab />);
  const onDomain = await screen.findByRole('link', { name: 'go.example.com/sale' });
  expect(onDomain.getAttribute('href')).toMatch(/^\/\/go\.example\.com(:\d+)?\/sale\+$/);
  expect(screen.getByRole('link', { name: 'plain' }).getAttribute('href')).toBe('/plain+');
});

import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AdminLogEntry, AdminStats } from '#contract/moderation/admin.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { LogTab } from './log-tab.tsx';
import { StatsTab } from './stats-tab.tsx';

const AT = '2026-11-20T12:00:00Z';
const CHECKED = '2026-11-19T12:00:00Z';
const SOUND = { ok: true, checked_at: CHECKED, links: 2, drift: [], clicks: { now: 8, before: 4 } };
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
        [...(term.parentElement?.querySelectorAll('dd') ?? [])].map((dd) => dd.textContent),
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
  expect(figures()).toEqual({
    'Total Users': ['11', 'Signed in at least once'],
    'Premium Users': ['3'],
    'Free Users': ['9'],
    'Total URLs': ['25', 'Deleted links not included'],
    'New users': ['6', 'Up 100% from 3'],
    'New URLs': ['7', 'Same as before', 'Deleted links included'],
    Clicks: ['8', 'Up 100% from 4', 'Of people, before Nov 19, 2026'],
    Reports: ['1', 'Down 50% from 2', '5 open'],
  });
  expect(
    screen.getByText(/^Click counts verified on .* 2 links match their roll-ups\.$/),
  ).toBeTruthy();
  expect(document.querySelector('svg.text-good')).not.toBeNull();
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
  expect(new Set(Object.values(figures()).map(([value]) => value))).toEqual(new Set(['–']));
  expect(screen.queryByText('No URLs yet')).toBeNull();
  fails = false;
  await press('Retry');
  expect(await screen.findByText('No URLs yet')).toBeTruthy();
  expect(figures()['Total Users']?.[0]).toBe('11');
  expect(screen.queryByText('The statistics could not be loaded.')).toBeNull();
});

it('before the first check, clicks are unknown and nothing can be rebuilt', async () => {
  serveRoutes({ 'GET /api/admin': stats(null) });
  showPage(<StatsTab />);
  expect(await screen.findByText(/has not run yet/)).toBeTruthy();
  expect(figures()['Clicks']).toEqual(['–', 'Known after the daily check']);
  expect(screen.queryByRole('button', { name: REBUILD })).toBeNull();
});

it('totals that differ are listed and can be rebuilt', async () => {
  const drift = [{ short_code: 'sale', figure: 'human' as const, expected: 3, found: 4 }];
  const calls = serveRoutes({
    'GET /api/admin': stats({ ...SOUND, ok: false, drift }),
    'POST /api/admin': { success: true },
  });
  showPage(<StatsTab />);
  expect((await screen.findByText(/: total 4, roll-ups 3/)).textContent).toMatch(/^sale: total/);
  expect(screen.getByText(/the totals of 1 of 2 links differ from their roll-ups/)).toBeTruthy();
  expect(document.querySelector('svg.text-bad')).not.toBeNull();
  await press(REBUILD);
  await waitFor(() => expect(takeToasts().map(({ text }) => text)).toEqual(['Totals rebuilt.']));
  expect(writesOf(calls)).toEqual([{ call: 'POST /api/admin', body: { action: 'repair_counts' } }]);
  await pressUnanswered(REBUILD);
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
    entry({ at: CHECKED, before: { was: 1 } }),
    entry({ id: 2, adminEmail: 'a@b.example', adminId: 'a', reason: 'Odd.' }),
  ];
  const calls = serveRoutes({
    'GET /api/admin': () => ({ entries: entries.splice(0), nextCursor: null }),
  });
  showPage(<LogTab />);
  const rows = await screen.findAllByRole('listitem');
  expect(rows[0]?.textContent).toContain('Rebuilt the click totals of all links');
  expect(rows[0]?.textContent).toMatch(/Nov 19, 2026, 12:00\sPM by the system/);
  expect(rows[0]?.textContent).not.toContain('Reason');
  expect(rows[1]?.textContent).toContain('Reason: Odd.');
  expect(rows[1]?.textContent).toContain('by a@b.example');
  expect(rows[0]?.querySelector('details')?.open).toBe(false);
  expect(JSON.parse(rows[0]?.querySelector('pre')?.textContent ?? '')).toEqual({
    id: 1,
    adminId: 'system',
    action: 'repair_counts',
    subject: 'counts',
    before: { was: 1 },
    after: { old: 'value' },
  });
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'ann' } });
  expect(await screen.findByText('No entries found')).toBeTruthy();
  expect(calls.at(-1)?.call).toContain('q=ann');
});

it('a recent URL on a domain has its host, and its preview there', async () => {
  const domain = { host: 'go.example.com', isShared: false, isSuspended: false };
  const rest = { long_url: 'https://example.com/', click_count: 1234, created_at: AT };
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
  const row = onDomain.closest('tr')?.textContent;
  expect(row).toMatch(/^go\.example\.com\/saleDestinationexample\.comClicks1,234DateNov 20, 2026$/);
});

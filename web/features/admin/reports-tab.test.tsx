import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ReportedLink } from '#contract/moderation/abuse.ts';
import type { ReportEvidence } from '#contract/moderation/report-evidence.ts';
import { startSession } from '#web/shared/session/session.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { ReportsTab } from './reports-tab.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const AT = '2026-11-20T12:00:00.000Z';
const reportOf = (id: number, over: Partial<ReportedLink> = {}): ReportedLink => ({
  id,
  code: `code${id}`,
  domain: null,
  longUrl: 'https://login.evil.example/secure?x=1',
  targetHost: 'login.evil.example',
  reportedUrl: 'https://login.evil.example/secure?x=1',
  reportedHost: 'login.evil.example',
  linkStatus: 'active',
  linkCreatedAt: AT,
  disabledReason: null,
  holds: [],
  ownerId: null,
  reason: 'phishing',
  details: `Details of ${id}.`,
  status: 'open',
  openReports: 1,
  notStored: 0,
  createdAt: AT,
  ...over,
});
const evidenceOf = (id: number, over: Partial<ReportEvidence> = {}): ReportEvidence => ({
  report: reportOf(id),
  closed: null,
  destinationChangedAt: null,
  earlierDestinations: [],
  card: null,
  otherDestinations: [],
  clickCount: 12,
  owner: null,
  hostLinks: 200,
  otherReports: [],
  blocklist: [],
  reputation: { configured: false, nextCheckAt: null },
  decisions: [],
  ...over,
});

const ON_DOMAIN = reportOf(7, {
  code: 'd.abcdefghjk/code7',
  domain: { host: 'go.acme.example', isShared: false, isSuspended: false },
});

/** Shows the tab with two open reports. Returns the write requests. */
async function show(
  address: string,
  evidence: (id: number) => ReportEvidence | null = evidenceOf,
): Promise<string[]> {
  signInAsMember({ email: 'me@example.com' });
  const writes: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    if (init.method === 'POST' || init.method === 'DELETE') {
      writes.push(`${path} ${typeof init.body === 'string' ? init.body : ''}`);
      return Response.json({ success: true });
    }
    const id = /\/reports\/(\d+)$/.exec(path)?.[1];
    if (id === undefined)
      return Response.json({ reports: [reportOf(8), ON_DOMAIN], nextCursor: null });
    const found = evidence(Number(id));
    return found === null
      ? Response.json({ error: 'Gone.' }, { status: 404 })
      : Response.json(found);
  });
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <MemoryRouter initialEntries={[address]}>
        <ReportsTab />
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return writes;
}
function Address() {
  return <output>{useLocation().search}</output>;
}

describe('ReportsTab', () => {
  it('shows the newest report with its evidence, and another one after a click', async () => {
    await show('/admin?tab=reports');
    const article = await screen.findByRole('article');
    for (const text of [
      'Details of 8.',
      'login.evil.example',
      '/secure?x=1',
      '12 clicks',
      '200 or more links',
      'Not on the blocklist.',
    ])
      expect(article.textContent).toContain(text);
    const list = screen.getByRole('list', { name: 'Reports' });
    fireEvent.click(within(list).getByRole('link', { name: /code7/ }));
    expect(await screen.findByText('Details of 7.')).toBeTruthy();
    expect(document.activeElement?.textContent).toContain('/code7');
    expect(within(list).getByRole('link', { current: true }).textContent).toContain(
      'go.acme.example/code7',
    );
    expect(screen.getByRole('status').textContent).toBe('?tab=reports&status=open&report=7');
  });

  it('restores a suspended domain, with the report still open', async () => {
    const domain = { host: 'go.acme.example', isShared: false, isSuspended: true };
    await show('/admin?tab=reports', (id) => evidenceOf(id, { report: reportOf(id, { domain }) }));
    fireEvent.click(await screen.findByRole('button', { name: 'Restore domain…' }));
    expect(await screen.findByRole('dialog', { name: 'Restore domain' })).toBeTruthy();
    expect(screen.getByRole('status', { hidden: true }).textContent).toContain('&report=8');
  });

  it('keeps a report open while its link is disabled', async () => {
    await show('/admin?tab=reports');
    fireEvent.click(await screen.findByRole('button', { name: 'Disable link…' }));
    await screen.findByRole('dialog');
    expect(screen.getByRole('status', { hidden: true }).textContent).toContain('&report=8');
  });

  it('shows the preview card of a link, and removes it', async () => {
    const card = { title: 'Your bank', description: 'Sign in now.', image: '/card.jpg' };
    const writes = await show('/admin?tab=reports&report=8', (id) => evidenceOf(id, { card }));
    const article = await screen.findByRole('article');
    for (const text of [card.title, card.description]) expect(article.textContent).toContain(text);
    expect(within(article).getByRole('img').getAttribute('alt')).toBe('Preview card');
    fireEvent.click(within(article).getByText('Remove card'));
    await waitFor(() => expect(writes).toEqual(['/api/admin/cards/code8 ']));
  });

  it('names owner, blocklist entries, other reports and decisions', async () => {
    const decision = {
      id: 1,
      at: AT,
      adminId: 'a',
      action: 'disable_links',
      subject: 'host:evil.example',
      subjectEmail: '',
    };
    await show('/admin?tab=reports&report=8', (id) =>
      evidenceOf(id, {
        report: reportOf(id, { ownerId: 'u-1' }),
        owner: {
          id: 'u-1',
          email: 'ann@example.com',
          suspended: true,
          createdAt: AT,
          links: 3,
        },
        otherReports: [
          {
            id: 5,
            code: 'old',
            reason: 'spam',
            details: 'Seen before.',
            status: 'acted',
            createdAt: AT,
          },
        ],
        blocklist: [{ kind: 'host', value: 'evil.example', reason: 'Kit', createdAt: AT }],
        reputation: { configured: true, nextCheckAt: null },
        decisions: [
          {
            ...decision,
            adminEmail: 'boss@example.com',
            before: null,
            after: { links: 2 },
            reason: 'A bank.',
          },
        ],
      }),
    );
    const { textContent } = await screen.findByRole('article');
    for (const text of [
      'ann@example.com Suspended',
      '3 links created',
      'evil.example since Nov 20, 2026: Kit',
      'Seen before.',
    ])
      expect(textContent).toContain(text);
    expect(textContent).toContain('Disabled 2 links to evil.exampleA bank.');
    expect(textContent).toContain('The host is not checked again.');
  });

  it('keeps a report open after it was dismissed', async () => {
    const writes = await show('/admin?tab=reports');
    fireEvent.click(await screen.findByRole('button', { name: 'Dismiss report' }));
    const body = '{"status":"dismissed","destination":"https://login.evil.example/secure?x=1"}';
    await waitFor(() => expect(writes).toEqual([`/api/admin/reports/8 ${body}`]));
    expect(screen.getByRole('status').textContent).toBe('?tab=reports&status=open&report=8');
  });

  it('[T51] shows the reported destination beside the present one, and what was not stored', async () => {
    const now = {
      longUrl: 'https://wikipedia.example/wiki',
      targetHost: 'wikipedia.example',
      openReports: 3,
      notStored: 47,
    };
    await show('/admin?tab=reports&report=8', (id) =>
      evidenceOf(id, {
        report: reportOf(id, now),
        destinationChangedAt: AT,
        earlierDestinations: [{ longUrl: 'https://login.evil.example/before', until: AT }],
      }),
    );
    const article = await screen.findByRole('article');
    const sections = within(article)
      .getAllByRole('heading', { level: 3 })
      .map(
        (heading) =>
          `${heading.textContent}: ${heading.nextElementSibling?.parentElement?.textContent}`,
      );
    expect(sections[0]).toContain('Reported destination: ');
    expect(sections[0]).toContain('login.evil.example/secure?x=1');
    expect(sections[1]).toContain('Destination now: ');
    expect(sections[1]).toContain('wikipedia.example/wikiLast changed on Nov 20, 2026');
    expect(sections[2]).toContain('https://login.evil.example/before until Nov 20, 2026');
    expect(article.textContent).toContain('3 open reportsand 47 more like them, not stored');
    expect(article.textContent).toContain('to login.evil.example');
    fireEvent.click(within(article).getByRole('button', { name: 'Disable link…' }));
    const select = await screen.findByLabelText('What to disable');
    expect([...select.children].map((option) => option.textContent)).toEqual(
      expect.arrayContaining([
        'All links to login.evil.example and its subdomains',
        'All links to wikipedia.example and its subdomains',
      ]),
    );
  });

  it('shows the other destinations of a link, and which are on the blocklist', async () => {
    const elsewhere = { conditions: [], isFallback: false, share: null, blocked: false };
    await show('/admin?tab=reports&report=8', (id) =>
      evidenceOf(id, {
        otherDestinations: [
          {
            ...elsewhere,
            longUrl: 'https://ios.evil.example/a',
            conditions: [{ device: ['ios'], country: ['BR'] }],
            blocked: true,
          },
          { ...elsewhere, longUrl: 'https://after.example/', isFallback: true },
        ],
      }),
    );
    const article = await screen.findByRole('article');
    const heading = within(article).getByRole('heading', { name: 'Leads elsewhere' });
    const items = heading.nextElementSibling?.children ?? [];
    expect([...items].map(({ textContent }) => textContent)).toEqual([
      'ios.evil.exampleOn the blocklisthttps://ios.evil.example/aBy a rule. Device: iPhone or iPad. Country: Brazil.',
      'after.examplehttps://after.example/After the end date.',
    ]);
  });

  it('says what an old report does not know', async () => {
    await show('/admin?tab=reports&report=8', (id) =>
      evidenceOf(id, { report: reportOf(id, { reportedUrl: null, reportedHost: null }) }),
    );
    const { textContent } = await screen.findByRole('article');
    expect(textContent).toContain('The report does not say where the link led at the time.');
    expect(textContent).not.toContain('Destination changed');
  });

  it('searches by code or destination, and keeps the search when a report is opened', async () => {
    await show('/admin?tab=reports');
    fireEvent.change(
      await screen.findByRole('searchbox', { name: 'Search by code or destination' }),
      {
        target: { value: ' evil ' },
      },
    );
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('q=evil'));
    fireEvent.click(
      within(screen.getByRole('list', { name: 'Reports' })).getByRole('link', { name: /code7/ }),
    );
    expect(screen.getByRole('status').textContent).toBe('?tab=reports&status=open&q=evil&report=7');
  });

  it('says that a report does not exist', async () => {
    await show('/admin?tab=reports&report=99', () => null);
    expect(await screen.findByText('We couldn’t find that report')).toBeTruthy();
  });
});

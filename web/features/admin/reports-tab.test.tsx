import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ReportedLink } from '#contract/moderation/abuse.ts';
import type { ReportEvidence } from '#contract/moderation/report-evidence.ts';
import { startSession } from '#web/shared/session/session.ts';
import { currentAddress, goBack, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { ReportsTab } from './reports-tab.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
  takeToasts();
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
  linkCreatedAt: '2026-11-02T12:00:00.000Z',
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

const NOTHING = { before: null, after: null, reason: '' };
const ANN = {
  id: 'u-1',
  email: 'ann@example.com',
  suspended: true,
  createdAt: '2026-10-01T12:00:00.000Z',
  links: 3,
};

/** A report whose link has had another destination since. */
const CHANGED: Partial<ReportedLink> = {
  longUrl: 'https://wikipedia.example/wiki',
  targetHost: 'wikipedia.example',
  openReports: 3,
  notStored: 47,
};
let lists: string[] = [];

/** Shows the tab with two open reports. Returns the write requests. */
async function show(
  address: string,
  evidence: (id: number) => ReportEvidence | null = evidenceOf,
  rows = [reportOf(8), ON_DOMAIN],
): Promise<string[]> {
  signInAsMember({ email: 'me@example.com' });
  const writes: string[] = [];
  lists = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    if (init.method === 'POST' || init.method === 'DELETE') {
      writes.push(`${path} ${typeof init.body === 'string' ? init.body : ''}`);
      return Response.json({ success: true });
    }
    const id = /\/reports\/(\d+)$/.exec(path)?.[1];
    if (id === undefined) {
      lists.push(path);
      return Response.json({ reports: rows, nextCursor: null });
    }
    const found = evidence(Number(id));
    return found === null
      ? Response.json({ error: 'Gone.' }, { status: 404 })
      : Response.json(found);
  });
  showPage(<ReportsTab />, '/before', address);
  return writes;
}
const search = () => currentAddress().replace('/admin', '');

describe('ReportsTab', () => {
  it('shows the newest report with its evidence, and another one after a click', async () => {
    await show('/admin?tab=reports');
    const article = await screen.findByRole('article', { name: /^phishing/ });
    for (const text of [
      'Details of 8.',
      'login.evil.example',
      '/secure?x=1',
      'Link12 clicks since Nov 2, 2026Owner',
      'OwnerA visitor, without an accountStateIt redirects.Same host',
      '200 or more links',
      'Not on the blocklist.',
      'No reputation service is configured.',
      'Other reports about this hostNone.',
    ])
      expect(article.textContent).toContain(text);
    expect(
      within(article)
        .getByRole('link', { name: /or more links/ })
        .getAttribute('href'),
    ).toBe('/admin?tab=urls&q=login.evil.example');
    expect(document.activeElement).toBe(document.body);
    expect(within(article).queryByText('active')).toBeNull();
    const list = screen.getByRole('list', { name: 'Reports' });
    const isHidden = (part: Element) => part.closest('.max-lg\\:hidden') !== null;
    expect([isHidden(list), isHidden(article)]).toEqual([false, true]);
    fireEvent.click(within(list).getByRole('link', { name: /code7/ }));
    const details = await screen.findByText('Details of 7.');
    expect([isHidden(list), isHidden(details)]).toEqual([true, false]);
    expect(document.activeElement?.tagName).toBe('H2');
    expect(document.activeElement?.textContent).toContain('/code7');
    expect(within(list).getByRole('link', { current: true }).textContent).toContain(
      'go.acme.example/code7',
    );
    expect(search()).toBe('?tab=reports&status=open&report=7');
    expect(screen.getByRole('link', { name: 'All reports' }).getAttribute('href')).toBe(
      '/admin?tab=reports&status=open',
    );
  });

  it('lists what each report is about, and changes the status without the open report', async () => {
    const rows = [
      reportOf(9, { ...CHANGED, linkStatus: 'disabled', openReports: 1, notStored: 1 }),
      reportOf(8, { reportedUrl: null, reportedHost: null, reason: 'spam' }),
    ];
    await show('/admin?tab=reports&status=unknown&report=x', evidenceOf, rows);
    const list = await screen.findByRole('list', { name: 'Reports' });
    const texts = within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/\d+:.*/, ''));
    expect(texts).toEqual([
      'phishingdisabledDestination changed2 reports/code9login.evil.exampleNov 20, 2026, ',
      'spam/code8login.evil.exampleNov 20, 2026, ',
    ]);
    expect(within(list).getByRole('link', { current: true }).textContent).toContain('/code9');
    fireEvent.click(within(list).getByRole('link', { name: /code8/ }));
    fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'dismissed' } });
    expect(search()).toBe('?tab=reports&status=dismissed');
    await waitFor(() => expect(lists.at(-1)).toContain('status=dismissed&q=&'));
    goBack();
    expect(search()).toBe('?tab=reports&status=unknown&report=x');
    expect(lists[0]).toContain('status=open&q=&');
  });

  it('says who closed a report and when, and reopens it', async () => {
    const closed = { at: '2026-11-23T12:00:00.000Z', byId: 'a', byEmail: 'boss@example.com' };
    const holds = [{ kind: 'reputation', value: '', reason: 'x' } as const];
    const report = reportOf(8, { ...CHANGED, status: 'acted', linkStatus: 'disabled', holds });
    const ownerId = 'deleted-1a2b3c4d-0000-4000-8000-000000000000';
    const writes = await show('/admin?tab=reports&report=8', () =>
      evidenceOf(8, { report: { ...report, details: '', ownerId }, closed }),
    );
    const { textContent } = await screen.findByRole('article');
    expect(textContent).toMatch(/disabledReport 8 · Nov 20, 2026.*PMResolved on Nov 23, 2026/);
    for (const text of [
      'by boss@example.com',
      'What the report saysNo details.',
      'A deleted account 1a2b3c4d',
      'StateDisabled by the reputation of its host',
      'The host is known for harmful pages.',
    ])
      expect(textContent).toContain(text);
    fireEvent.click(screen.getByRole('button', { name: 'Reopen report' }));
    const body = `{"status":"open","destination":"${CHANGED.longUrl}"}`;
    await waitFor(() => expect(writes).toEqual([`/api/admin/reports/8 ${body}`]));
    fireEvent.click(screen.getByRole('button', { name: 'Restore link…' }));
    expect(await screen.findByRole('dialog', { name: 'Restore links' })).toBeTruthy();
  });

  it('restores a suspended domain, with the report still open', async () => {
    const domain = { host: 'go.acme.example', isShared: false, isSuspended: true };
    await show('/admin?tab=reports', (id) =>
      evidenceOf(id, { report: reportOf(id, { domain, longUrl: '' }) }),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Restore domain…' }));
    expect(screen.getByText('domain suspended')).toBeTruthy();
    expect(screen.getByText('Destination now').parentElement?.textContent).toMatch(/None\.$/);
    expect(await screen.findByRole('dialog', { name: 'Restore domain' })).toBeTruthy();
    expect(search()).toContain('&report=8');
  });

  it('keeps a report open while its link is disabled', async () => {
    const writes = await show('/admin?tab=reports', (id) =>
      evidenceOf(id, { report: reportOf(id, { ownerId: 'u-1' }), owner: ANN }),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Disable link…' }));
    const dialog = within(await screen.findByRole('dialog'));
    const scope = dialog.getByLabelText('What to disable');
    fireEvent.change(scope, { target: { value: '2' } });
    expect(dialog.getByText(/^All links of ann@example\.com stop redirecting/)).toBeTruthy();
    fireEvent.change(scope, { target: { value: '0' } });
    expect(search()).toContain('&report=8');
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Fraud' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Disable links' }));
    await waitFor(() =>
      expect(writes[0]).toContain('"code":"code8"},"reason":"Fraud","reportId":8'),
    );
  });

  it('shows the preview card of a link, and removes it', async () => {
    const asked: number[] = [];
    const card = { title: 'Your bank', description: 'Sign in now.', image: '/card.jpg' };
    const writes = await show('/admin?tab=reports&report=7', (id) =>
      evidenceOf(id, { card: asked.push(id) > 1 ? null : card, report: ON_DOMAIN }),
    );
    const article = await screen.findByRole('article');
    for (const text of [card.title, card.description]) expect(article.textContent).toContain(text);
    expect(within(article).getByRole('img').getAttribute('alt')).toBe('Preview card');
    expect(within(article).getByRole('img').getAttribute('src')).toBe('/card.jpg');
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async () => Response.json({ error: 'Not now.' }, { status: 503 }));
    fireEvent.click(within(article).getByText('Remove card'));
    expect(await within(article).findByText('Not now.')).toBeTruthy();
    vi.stubGlobal('fetch', fetch);
    fireEvent.click(within(article).getByText('Remove card'));
    await waitFor(() => expect(writes).toEqual(['/api/admin/cards/d.abcdefghjk%2Fcode7 ']));
    await waitFor(() => expect(screen.queryByText('Remove card')).toBeNull());
    await pressUnanswered('Dismiss report');
    expect(takeToasts()).toMatchObject([{ text: 'Preview card removed.' }]);
  });

  it('names owner, blocklist entries, other reports and decisions', async () => {
    const decision = {
      id: 1,
      at: '2026-11-16T12:00:00.000Z',
      adminId: 'a',
      action: 'disable_links',
      subject: 'host:evil.example',
      subjectEmail: '',
    };
    await show('/admin?tab=reports&report=8', (id) =>
      evidenceOf(id, {
        report: reportOf(id, { ownerId: 'u-1' }),
        owner: ANN,
        otherReports: [
          {
            id: 5,
            code: 'old',
            reason: 'spam',
            details: 'Seen before.',
            status: 'acted',
            createdAt: '2026-11-17T12:00:00.000Z',
          },
        ],
        blocklist: [
          { kind: 'host', value: 'evil.example', reason: 'Kit', createdAt: AT },
          { kind: 'host', value: 'b.example', reason: '', createdAt: AT },
        ],
        reputation: { configured: true, nextCheckAt: null },
        decisions: [
          {
            ...decision,
            adminEmail: 'boss@example.com',
            before: null,
            after: { links: 2 },
            reason: 'A bank.',
          },
          { ...decision, id: 2, adminId: 'system', adminEmail: '', ...NOTHING },
        ],
      }),
    );
    const { textContent } = await screen.findByRole('article');
    for (const text of [
      'ann@example.com Suspended',
      '3 links created · since Oct 1, 2026',
      'evil.example since Nov 20, 2026: Kitb.example since Nov 20, 2026Reputation',
      'Report 5spam · /oldResolvedNov 17, 2026Seen before.',
    ])
      expect(textContent).toContain(text);
    expect(textContent).toMatch(/Disabled 2 links to evil\.exampleA bank\. · Nov 16, 2026/);
    expect(textContent).toMatch(
      /by boss@example\.comDisabled links to evil\.exampleNov 16.*system$/,
    );
    const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect([hrefOf('ann@example.com'), hrefOf('Report 5')]).toEqual([
      '/admin?tab=users&q=u-1',
      '/admin?tab=reports&status=open&report=5',
    ]);
    expect(textContent).toContain('The host is not checked again.');
  });

  it('keeps a report open after it was dismissed', async () => {
    const writes = await show('/admin?tab=reports');
    fireEvent.click(await screen.findByRole('button', { name: 'Dismiss report' }));
    const body = '{"status":"dismissed","destination":"https://login.evil.example/secure?x=1"}';
    await waitFor(() => expect(writes).toEqual([`/api/admin/reports/8 ${body}`]));
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Report updated.' }]));
    expect(search()).toBe('?tab=reports&status=open&report=8');
    goBack();
    expect(search()).toBe('/before');
  });

  it('[T51] shows the reported destination beside the present one, and what was not stored', async () => {
    await show('/admin?tab=reports&report=8', (id) =>
      evidenceOf(id, {
        report: reportOf(id, { ...CHANGED, ownerId: 'u-12345678' }),
        owner: { ...ANN, id: 'u-12345678', email: '', suspended: false },
        destinationChangedAt: '2026-11-21T12:00:00.000Z',
        earlierDestinations: [{ longUrl: 'https://login.evil.example/before', until: AT }],
        reputation: { configured: true, nextCheckAt: '2026-11-24T12:00:00.000Z' },
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
    expect(sections[1]).toContain('wikipedia.example/wikiLast changed on Nov 21, 2026');
    expect(sections[2]).toContain('https://login.evil.example/before until Nov 20, 2026');
    expect(article.textContent).toContain('3 open reportsand 47 more like them, not stored');
    expect(article.textContent?.match(/Last changed/g)).toHaveLength(1);
    expect(article.textContent).toContain('to login.evil.example');
    expect(article.textContent).toContain('Owneru-123456 3 links created');
    expect(article.textContent).toContain('Nothing known so far. Next check: Nov 24, 2026');
    fireEvent.click(within(article).getByRole('button', { name: 'Disable link…' }));
    const select = await screen.findByLabelText('What to disable');
    expect([...select.children].map((option) => option.textContent)).toEqual(
      expect.arrayContaining([
        'User u-123456',
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
          { ...elsewhere, longUrl: 'https://half.example/', share: 50 },
        ],
      }),
    );
    const article = await screen.findByRole('article');
    const heading = within(article).getByRole('heading', { name: 'Leads elsewhere' });
    const items = heading.nextElementSibling?.children ?? [];
    expect([...items].map(({ textContent }) => textContent)).toEqual([
      'ios.evil.exampleOn the blocklisthttps://ios.evil.example/aBy a rule. Device: iPhone or iPad. Country: Brazil.',
      'after.examplehttps://after.example/After the end date.',
      'half.examplehttps://half.example/For 50% of its visitors.',
    ]);
  });

  it('says what an old report does not know', async () => {
    await show('/admin?tab=reports&report=8', (id) =>
      evidenceOf(id, {
        report: reportOf(id, { reportedUrl: null, reportedHost: null, ownerId: 'u-12345678' }),
        destinationChangedAt: AT,
      }),
    );
    const { textContent } = await screen.findByRole('article');
    expect(textContent).toMatch(/at the time\.Last changed on Nov 20, 2026/);
    expect(screen.getByRole('heading', { name: 'Destination' })).toBeTruthy();
    expect(textContent).toContain('OwnerUser u-123456, not found');
    expect(textContent).toContain('200 or more links to login.evil.example');
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
    await waitFor(() => expect(search()).toContain('q=evil'));
    await waitFor(() => expect(lists.at(-1)).toContain('&q=evil&'));
    fireEvent.click(
      within(screen.getByRole('list', { name: 'Reports' })).getByRole('link', { name: /code7/ }),
    );
    expect(search()).toBe('?tab=reports&status=open&q=evil&report=7');
    // Only the opened report is an entry of the history.
    goBack();
    expect(search()).toBe('?tab=reports&status=open&q=evil');
    goBack();
    expect(search()).toBe('/before');
  });

  it('says of which reports there are none', async () => {
    await show('/admin?tab=reports&status=acted', evidenceOf, []);
    expect(await screen.findByText('No resolved reports')).toBeTruthy();
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'x' } });
    expect(await screen.findByText('No reports found')).toBeTruthy();
    const status = screen.getByLabelText<HTMLSelectElement>('Status');
    expect([...status.options].map(({ value, text }) => `${value} ${text}`)).toEqual([
      'open Open',
      'acted Resolved',
      'dismissed Dismissed',
    ]);
  });

  it('says why a report cannot be shown, and that one does not exist', async () => {
    await show('/admin?tab=reports&report=99', () => null);
    expect(await screen.findByText('We couldn’t find that report')).toBeTruthy();
    cleanup();
    await show('/admin?tab=reports&report=99', () => {
      throw new TypeError('offline');
    });
    expect(await screen.findByText('The report could not be loaded.')).toBeTruthy();
  });
});

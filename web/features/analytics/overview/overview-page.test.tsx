import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompareResponse, OverviewResponse } from '#contract/reports/overview.ts';
import { config } from '#web/shared/page/config.ts';
import { domainList, makeDomain } from '#web/testing/make-domain.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { serve } from '#web/testing/fake-server.ts';
import { currentAddress, goBack, renderPage } from '#web/testing/render-page.tsx';
import { OverviewPage } from './overview-page.tsx';

const OVERVIEW: OverviewResponse = {
  range: '30d',
  period: { from: '2026-10-23', to: '2026-11-21' },
  shortenedBy: null,
  tag: null,
  host: null,
  domain: null,
  detailsSince: null,
  plan: 'free',
  advanced: false,
  links: 300,
  hasClicks: true,
  countedAt: '2026-11-21T10:00:00Z',
  generatedAt: '2026-11-21T10:20:00Z',
  setAside: { bots: 0, prefetches: 0 },
  analytics: {
    totalClicks: 40,
    uniqueClicks: 20,
    activeDays: 1,
    clicksByDate: { '2026-11-20': 40 },
    visitorsByDate: { '2026-11-20': 20 },
    clicksByCountry: { IN: 40 },
    clicksByDevice: { Mobile: 40 },
    topLinks: [
      {
        code: 'spring',
        shortUrl: 'https://h.example/spring',
        title: '',
        longUrl: 'https://example.com/',
        clicks: 30,
      },
    ],
  },
};

/** Ten clicks on each of the links or tags. */
const comparison = (query: URLSearchParams): CompareResponse => ({
  range: '30d',
  period: OVERVIEW.period,
  shortenedBy: null,
  series: (query.get('links') ?? query.get('tags') ?? '').split(',').map((name) => ({
    name,
    code: query.has('links') ? name : null,
    title: null,
    color: null,
    totalClicks: 10,
    uniqueClicks: 8,
    clicksByDate: { '2026-11-20': 10 },
    visitorsByDate: { '2026-11-20': 8 },
  })),
  generatedAt: OVERVIEW.generatedAt,
});

type Answer = Partial<OverviewResponse> | null;

/** Shows the page with this response; null stands for a server error. */
function show(answer: Answer | (() => Answer), onUpgrade = vi.fn(), address = '/analytics') {
  const requests = serve(({ path, query }) => {
    if (path === '/api/tags') return { tags: [{ id: 1, name: 'launch', color: 'blue' }] };
    if (path === '/api/overview/compare') return comparison(query);
    if (path === '/api/domains') return domainList([makeDomain()]);
    const body = typeof answer === 'function' ? answer() : answer;
    return body === null ? Response.json({}, { status: 500 }) : { ...OVERVIEW, ...body };
  });
  const { client } = renderPage(
    <OverviewPage
      onUpgrade={onUpgrade}
      renderLive={({ domain, countries, countriesNote, onFirstClick }) => (
        <button type="button" onClick={onFirstClick}>
          Live{domain}: {Object.keys(countries).join()} {countriesNote}
        </button>
      )}
    />,
    [address],
  );
  return Object.assign(client, { requests });
}

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('OverviewPage', () => {
  it('shows figures, top links and how old they are, and offers what the plan lacks', async () => {
    const onUpgrade = vi.fn();
    const { requests } = show({}, onUpgrade);
    expect((await screen.findByRole('tab', { name: /Total Clicks/ })).textContent).toBe(
      'Total Clicks40',
    );
    expect(screen.getByText(/Brought up to date once an hour, last on Nov 21, 2026/)).toBeTruthy();
    const link = await screen.findByRole('link', { name: /spring/ });
    expect([link.getAttribute('href'), link.textContent]).toEqual([
      '/analytics/spring',
      'springexample.com75%30 clicks',
    ]);
    expect(screen.queryByRole('heading', { name: 'Sources' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Upgrade to Premium' }));
    expect(onUpgrade).toHaveBeenCalledOnce();
    expect(requests).toContain('GET /api/analytics?range=30d');
    fireEvent.click(screen.getByRole('radio', { name: '90 days' }));
    await waitFor(() => expect(requests.at(-1)).toBe('GET /api/analytics?range=90d'));
    expect(currentAddress()).toBe('/analytics?range=90d');
    fireEvent.click(screen.getByRole('radio', { name: '30 days' }));
    expect(currentAddress()).toBe('/analytics');
  });

  it('counts the links on one domain, whose codes have their host and not its id', async () => {
    config.domains = true;
    const { requests } = show({
      analytics: {
        ...OVERVIEW.analytics,
        topLinks: [
          {
            code: 'd.abcdefghjk/spring',
            shortUrl: 'https://go.example.com/spring',
            title: '',
            longUrl: 'https://example.com/',
            clicks: 30,
          },
        ],
      },
    });
    const link = await screen.findByRole('link', { name: /^go.example.com\/spring/ });
    expect(link.getAttribute('href')).toBe('/analytics/d.abcdefghjk%2Fspring');
    const select = await screen.findByLabelText('Domain');
    fireEvent.change(select, { target: { value: 'go.example.com' } });
    await waitFor(() =>
      expect(requests).toContain('GET /api/analytics?range=30d&domain=go.example.com'),
    );
    fireEvent.change(select, { target: { value: 'localhost:3000' } });
    await waitFor(() => expect(requests).toContain('GET /api/analytics?range=30d&domain='));
    expect(currentAddress()).toBe('/analytics?domain=localhost%3A3000');
    config.domains = false;
  });

  it('shows seven links, by their title or else their target', async () => {
    const topLinks = Array.from({ length: 9 }, (_, at) => ({
      code: `c${at}`,
      shortUrl: `https://h.example/c${at}`,
      title: at === 0 ? 'Spring' : '',
      longUrl: 'https://example.com/',
      clicks: 9 - at,
    }));
    show({ analytics: { ...OVERVIEW.analytics, topLinks } });
    const list = (await screen.findByText('c0')).closest('ol');
    expect(list?.querySelectorAll('li')).toHaveLength(7);
    expect(list?.textContent).toMatch(
      /^Compare c0c0Spring23%9 clicksCompare c1c1example\.com20%8 clicks/,
    );
  });

  it('links to the report of a code that a path must escape', async () => {
    const topLinks = OVERVIEW.analytics.topLinks.map((link) => ({
      ...link,
      code: 'go.example/a',
    }));
    show({ analytics: { ...OVERVIEW.analytics, topLinks } });
    const [code] = await screen.findAllByText('go.example/a');
    expect(code?.closest('a')?.getAttribute('href')).toBe('/analytics/go.example%2Fa');
  });

  it.each([
    [60, /^Brought up to date once an hour, last on /],
    [59, /^Updated /],
  ])('says how old the counts are after %i seconds', async (age, text) => {
    const countedAt = new Date(Date.parse(OVERVIEW.generatedAt) - age * 1_000).toISOString();
    show({ countedAt });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it.each([
    [null, 'No comparison yet: nobody had clicked your links when the period before began.'],
    [
      {
        ...OVERVIEW.analytics,
        from: '2026-09-23',
        to: '2026-10-22',
        until: '2026-10-22T10:00:00Z',
        current: { totalClicks: 40, uniqueClicks: 20, activeDays: 1 },
      },
      'Compared with Sep 23 – Oct 22, 2026, over the same time.',
    ],
  ])('explains what it compares with: %#', async (previousPeriod, text) => {
    show({ advanced: true, analytics: { ...OVERVIEW.analytics, previousPeriod } });
    fireEvent.click(await screen.findByRole('button', { name: 'About Clicks by Date' }));
    const hint = screen.getByText(/By people/).textContent.replaceAll('\u2009', ' ');
    expect(hint).toContain(text);
  });

  it('says that a person counts once per link and day', async () => {
    show({}, undefined, '/analytics?figure=visitors');
    fireEvent.click(await screen.findByRole('button', { name: 'About Visitors by date' }));
    const meaning = 'Each person counts once per link and day, at their first click.';
    expect(screen.getByText(meaning)).toBeTruthy();
  });

  it('counts the links with a tag or a site, and Back undoes the choice', async () => {
    const { requests } = show({});
    fireEvent.change(await screen.findByLabelText('Tag'), { target: { value: 'launch' } });
    await waitFor(() => expect(currentAddress()).toBe('/analytics?tag=launch'));
    await waitFor(() => expect(requests).toContain('GET /api/analytics?range=30d&tag=launch'));
    goBack();
    await waitFor(() => expect(currentAddress()).toBe('/analytics'));
    fireEvent.change(screen.getByLabelText('Site'), { target: { value: 'example.com' } });
    await waitFor(() => expect(currentAddress()).toBe('/analytics?host=example.com'));
  });

  it('compares the links that are selected in the list', async () => {
    const { requests } = show({});
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Compare spring' }));
    await waitFor(() => expect(currentAddress()).toBe('/analytics?compare=links&with=spring'));
    await screen.findByText('Choose another link to compare it with.');
    fireEvent.change(screen.getByLabelText('Code or short URL'), {
      target: { value: 'https://h.example/autumn' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Add link' }));
    const table = await screen.findByRole('table', { name: 'Clicks compared' });
    await waitFor(() => expect(table.querySelectorAll('thead th')).toHaveLength(3));
    expect(requests).toContain('GET /api/overview/compare?links=spring%2Cautumn&range=30d');
    fireEvent.click(screen.getByRole('button', { name: 'Remove spring from the comparison' }));
    await waitFor(() => expect(currentAddress()).toBe('/analytics?compare=links&with=autumn'));
    fireEvent.click(screen.getByRole('button', { name: 'Close the comparison' }));
    await waitFor(() => expect(currentAddress()).toBe('/analytics'));
  });

  it.each([
    ['https://Go.example.com/sale', 'go.example.com%2Fsale'],
    ['https://H.example/sale', 'sale'],
  ])('compares the link that %s names', async (value, name) => {
    const { shortOrigin } = config;
    Object.assign(config, { domains: true, shortOrigin: 'https://h.example' });
    const { requests } = show({}, undefined, '/analytics?compare=links');
    fireEvent.change(await screen.findByLabelText('Code or short URL'), { target: { value } });
    fireEvent.click(screen.getByRole('button', { name: 'Add link' }));
    await waitFor(() =>
      expect(requests).toContain(`GET /api/overview/compare?links=${name}&range=30d`),
    );
    Object.assign(config, { domains: false, shortOrigin });
  });

  it('compares two tags and no more', async () => {
    show({}, undefined, '/analytics?compare=tags&with=a,b,c');
    await screen.findByRole('button', { name: 'Remove b from the comparison' });
    expect(screen.queryByRole('button', { name: 'Remove c from the comparison' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add tag' })).toBeNull();
  });

  it('offers the export with advanced analytics only', async () => {
    const menu = 'More actions for the overview';
    show({});
    await screen.findByText('Total Clicks');
    fireEvent.click(screen.getByRole('button', { name: menu }));
    await screen.findByRole('menuitem', { name: 'Print overview' });
    expect(screen.queryByRole('menuitem', { name: 'Download CSV' })).toBeNull();
    cleanup();
    show({ advanced: true });
    await screen.findByText('Total Clicks');
    fireEvent.click(screen.getByRole('button', { name: menu }));
    expect(await screen.findByRole('menuitem', { name: 'Download CSV' })).toBeTruthy();
  });

  it('keeps the figures when they cannot be brought up to date, and says so', async () => {
    const answers: (Partial<OverviewResponse> | null)[] = [{}];
    const client = show(() => answers.shift() ?? null);
    await screen.findByText('Total Clicks');
    await act(() => client.invalidateQueries());
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The newest numbers could not be loaded. You see earlier ones.',
    );
    expect(screen.getByText('Total Clicks')).toBeTruthy();
  });

  it('marks the figures as outdated while those of another range load', async () => {
    let respond: (answer: object) => void = () => undefined;
    const later = new Promise<object>((resolve) => (respond = resolve));
    serve(({ path, query }) => {
      if (path === '/api/tags') return { tags: [] };
      return query.get('range') === '7d' ? later : OVERVIEW;
    });
    renderPage(<OverviewPage onUpgrade={vi.fn()} renderLive={() => null} />, ['/analytics']);
    const isBusy = async () =>
      (await screen.findByText('Total Clicks')).closest('[aria-busy]')?.getAttribute('aria-busy');
    expect(await isBusy()).toBe('false');
    fireEvent.click(screen.getByRole('radio', { name: '7 days' }));
    await waitFor(async () => expect(await isBusy()).toBe('true'));
    respond({ ...OVERVIEW, range: '7d' });
    await waitFor(async () => expect(await isBusy()).toBe('false'));
  });

  it('says that clicks are still being counted', async () => {
    show({ countedAt: null });
    expect(
      await screen.findByText(/Your clicks are being counted, so some are missing/),
    ).toBeTruthy();
  });

  it.each([
    ['No URLs yet', { links: 0 }, 'Once your links are clicked'],
    ['No clicks yet', { hasClicks: false }, 'Once your links are clicked'],
    ['No clicks yet', { hasClicks: false, countedAt: null }, 'Your clicks are being counted.'],
  ])('says “%s” and not that something failed', async (title, answer, text) => {
    show(answer);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that no link matches the domain', async () => {
    show({ links: 0, domain: 'go.example.com' }, undefined, '/analytics?domain=go.example.com');
    expect(await screen.findByText('No links match')).toBeTruthy();
  });

  it('shows live clicks of all links or of a domain, with the countries of the range', async () => {
    show({});
    expect(await screen.findByText('Live: IN Dots: clicks in the last 30 days.')).toBeTruthy();
    cleanup();
    show({ domain: '.example.com' }, undefined, '/analytics?domain=.example.com');
    expect(await screen.findByText(/^Live\.example\.com: IN/)).toBeTruthy();
    cleanup();
    show({ tag: 'launch' }, undefined, '/analytics?tag=launch');
    expect(await screen.findByRole('tab', { name: /Total Clicks/ })).toBeTruthy();
    expect(screen.queryByText(/^Live:/)).toBeNull();
  });

  it('loads the overview again when the account has its first click', async () => {
    let hasClicks = false;
    show(() => ({ hasClicks }));
    const live = await screen.findByText(/^Live:/);
    expect(screen.getByText('No clicks yet')).toBeTruthy();
    hasClicks = true;
    fireEvent.click(live);
    expect(await screen.findByRole('tab', { name: /Total Clicks/ })).toBeTruthy();
  });

  it('offers Retry when the overview cannot be loaded', async () => {
    show(null);
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the overview');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});

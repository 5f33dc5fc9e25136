import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompareResponse, OverviewResponse } from '#contract/reports/overview.ts';
import { config } from '#web/shared/page/config.ts';
import { domainList, makeDomain } from '#web/testing/make-domain.ts';
import { makeOverview } from '#web/testing/make-overview.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { serve } from '#web/testing/fake-server.ts';
import { choose, currentAddress, goBack, press, renderPage } from '#web/testing/render-page.tsx';
import { OverviewPage } from './overview-page.tsx';

const OVERVIEW = makeOverview();
const MENU = 'More actions for the overview';

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
    if (path === '/api/overview/times') return { totalClicks: 0, clicksByWeekHour: [] };
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
  vi.restoreAllMocks();
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
    expect(link.title).toBe('example.com');
    for (const name of ['Sources', 'Times'])
      expect(screen.queryByRole('heading', { name })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Upgrade to Premium' }));
    expect(onUpgrade).toHaveBeenCalledOnce();
    expect(requests).toContain('GET /api/analytics?range=30d');
    const hint = screen.getByText(/^Clicks on all of your links together\./).textContent;
    expect(hint.replaceAll('\u2009', ' ')).toContain(
      'Period: the last 30 days, Oct 23 – Nov 21, 2026.',
    );
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
    expect(screen.getByLabelText('Compare go.example.com/spring')).toBeTruthy();
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
      longUrl: at === 0 ? 'https://z.example/' : 'https://example.com/',
      clicks: 9 - at,
    }));
    show(
      { analytics: { ...OVERVIEW.analytics, topLinks } },
      vi.fn(),
      '/analytics?compare=links&with=c0,c1,c2,c3,c4',
    );
    const list = (await screen.findByLabelText('Compare c0')).closest('ol');
    const boxes = [...(list?.querySelectorAll('input') ?? [])];
    expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
      ...Array.from({ length: 5 }, () => [true, false]),
      ...Array.from({ length: 2 }, () => [false, true]),
    ]);
    expect(list?.querySelectorAll('li')).toHaveLength(7);
    const sites = [...screen.getByLabelText<HTMLSelectElement>('Site').options];
    expect(sites.map(({ text }) => text)).toEqual(['All sites', 'example.com', 'z.example']);
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

  it('counts the links with a tag or a site, and Back undoes the choice', async () => {
    const { requests } = show({});
    fireEvent.change(await screen.findByLabelText('Tag'), { target: { value: 'launch' } });
    await waitFor(() => expect(currentAddress()).toBe('/analytics?tag=launch'));
    await waitFor(() => expect(requests).toContain('GET /api/analytics?range=30d&tag=launch'));
    expect(screen.getByText(/^Clicks on the chosen links together\./)).toBeTruthy();
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

  it('starts a comparison of tags or of links without what was compared before', async () => {
    show({}, vi.fn(), '/analytics?compare=tags&with=spring,b');
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Compare spring' });
    expect([box.checked, box.disabled]).toEqual([false, false]);
    fireEvent.click(box);
    expect(currentAddress()).toBe('/analytics?compare=links&with=spring');
    const offered = () => [...document.querySelectorAll('option')].map(({ value }) => value);
    await choose(MENU, 'Compare up to 5 links');
    expect(currentAddress()).toBe('/analytics?compare=links');
    await waitFor(() => expect(offered()).toContain('spring'));
    await choose(MENU, 'Compare 2 tags');
    expect(currentAddress()).toBe('/analytics?compare=tags');
    await waitFor(() => expect(document.querySelector('datalist')?.textContent).toBe('launch'));
  });

  it('offers the export with advanced analytics only, and loads the times', async () => {
    show({});
    await screen.findByText('Total Clicks');
    fireEvent.click(screen.getByRole('button', { name: MENU }));
    await screen.findByRole('menuitem', { name: 'Print overview' });
    expect(screen.queryByRole('menuitem', { name: 'Download CSV' })).toBeNull();
    const print = vi.fn<() => void>();
    vi.stubGlobal('print', print);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Print overview' }));
    expect(print).toHaveBeenCalledOnce();
    cleanup();
    vi.stubGlobal('IntersectionObserver', function near(report: (seen: object[]) => void) {
      return { observe: () => report([{ isIntersecting: true }]), disconnect: () => undefined };
    });
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const period = { from: '2026-10-01', to: '2026-10-31' };
    const search = 'from=2026-10-01&to=2026-10-31';
    const { requests } = show(
      { advanced: true, range: 'custom', period },
      vi.fn(),
      `/analytics?${search}`,
    );
    await screen.findByText('Total Clicks');
    const hint = screen.getByText(/^Clicks on all of your links/).textContent;
    expect(hint.replaceAll('\u2009', ' ')).toMatch(/Period: Oct 1 – 31, 2026\.$/);
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
    await waitFor(() => expect(requests).toContain(`GET /api/overview/times?${search}&tz=${zone}`));
    await choose(MENU, 'Download JSON');
    await waitFor(() => expect(save).toHaveBeenCalledOnce());
    expect(requests).toContain(`GET /api/overview/export?${search}&format=json`);
    expect(save.mock.contexts[0]).toMatchObject({
      download: 'overview-2026-10-01-2026-10-31.json',
    });
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
    answers.push({});
    await press('Retry');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
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
    // There is one site, and neither a tag nor a domain.
    expect(screen.queryByLabelText('Links that are counted')).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: '7 days' }));
    await waitFor(async () => expect(await isBusy()).toBe('true'));
    respond({ ...OVERVIEW, range: '7d', analytics: { ...OVERVIEW.analytics, topLinks: [] } });
    await waitFor(async () => expect(await isBusy()).toBe('false'));
    expect(await screen.findByText('No clicks in this range')).toBeTruthy();
  });

  it.each([
    ['No URLs yet', { links: 0 }, 'Once your links are clicked', 'New link'],
    ['No clicks yet', { hasClicks: false }, 'Once your links are clicked', 'Back to My URLs'],
    [
      'No clicks yet',
      { hasClicks: false, countedAt: null },
      'Your clicks are being counted.',
      'Back to My URLs',
    ],
  ])('says “%s” and not that something failed', async (title, answer, text, action) => {
    show(answer);
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
    expect(screen.getByText(action)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['Domain', { domain: 'go.example.com' }, ['All domains', 'go.example.com', 'localhost:3000']],
    ['Tag', { tag: 'gone' }, ['All tags', 'gone', 'launch']],
    ['Site', { host: 'gone.example' }, ['All sites', 'example.com', 'gone.example']],
  ])('says that no link matches the scope: %s', async (label, scope, choices) => {
    show({ links: 0, ...scope }, undefined, `/analytics?${new URLSearchParams(scope)}`);
    expect(await screen.findByText('No links match')).toBeTruthy();
    const all = screen.getByRole('link', { name: 'Show all links' });
    expect(all.getAttribute('href')).toBe('/analytics');
    // What was chosen is a choice even if it is gone.
    const select = screen.getByLabelText<HTMLSelectElement>(label);
    await waitFor(() => expect([...select.options].map(({ text }) => text)).toEqual(choices));
    expect(select.selectedOptions[0]?.text).toBe(choices.find((name) => name.startsWith('go')));
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
    cleanup();
    const host = 'example.com';
    show({ host, hasClicks: false }, undefined, `/analytics?host=${host}`);
    expect(await screen.findByText('No clicks yet')).toBeTruthy();
    expect(screen.queryByText(/^Live:/)).toBeNull();
  });

  it('loads the overview again when the account has its first click', async () => {
    let hasClicks = false;
    show(() => ({ hasClicks, domain: 'go.example.com' }));
    const live = await screen.findByText(/^Livego/);
    expect(live.textContent).toBe('Livego.example.com:  ');
    const back = screen.getByRole('link', { name: 'Back to My URLs' });
    expect(back.getAttribute('href')).toBe('/dashboard');
    expect(screen.getByText('No clicks yet')).toBeTruthy();
    hasClicks = true;
    fireEvent.click(live);
    expect(await screen.findByRole('tab', { name: /Total Clicks/ })).toBeTruthy();
  });

  it('offers Retry when the overview cannot be loaded', async () => {
    let fails = true;
    show(() => (fails ? null : {}));
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the overview');
    fails = false;
    await press('Retry');
    expect(await screen.findByText('Total Clicks')).toBeTruthy();
  });
});

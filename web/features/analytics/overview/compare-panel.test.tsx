import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COMPARED_LINKS_MAX, COMPARED_TAGS_MAX } from '#contract/reports/overview.ts';
import type { CompareResponse } from '#contract/reports/overview.ts';
import { config } from '#web/shared/page/config.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { currentAddress, press, showPage } from '#web/testing/render-page.tsx';
import { ComparePanel, type Suggestion } from './compare-panel.tsx';
import { COMPARED_MAX, useCompared } from './use-compared.ts';

const series = (
  name: string,
  clicksByDate: Record<string, number>,
  title: string | null = null,
) => ({
  name,
  code: name,
  title,
  color: null,
  totalClicks: Object.values(clicksByDate).reduce((sum, clicks) => sum + clicks, 0),
  uniqueClicks: 0,
  clicksByDate,
  visitorsByDate: {},
});
const answerOf = (rest: Partial<CompareResponse>): CompareResponse => ({
  range: '30d',
  period: { from: '2026-11-20', to: '2026-11-21' },
  shortenedBy: null,
  series: [],
  generatedAt: '2026-11-21T10:20:00Z',
  ...rest,
});

function Page({ suggestions }: { suggestions: readonly Suggestion[] }) {
  const compared = useCompared();
  return compared.kind === null ? null : (
    <ComparePanel
      kind={compared.kind}
      compared={compared}
      range={{ range: '30d' }}
      suggestions={suggestions}
    />
  );
}
function show(
  query: string,
  answer: Partial<CompareResponse> | null = {},
  suggestions: Suggestion[] = [],
) {
  const requests = serve(() => (answer === null ? rejection(503, 'Down.') : answerOf(answer)));
  showPage(<Page suggestions={suggestions} />, `/analytics?compare=${query}`);
  return requests;
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const legend = () => screen.getByRole('list', { name: 'Compared' });

afterEach(() => {
  cleanup();
  Reflect.deleteProperty(HTMLDivElement.prototype, 'clientWidth');
  vi.unstubAllGlobals();
});

describe('ComparePanel', () => {
  it('compares as many as the server does', () => {
    expect(COMPARED_MAX).toEqual({ links: COMPARED_LINKS_MAX, tags: COMPARED_TAGS_MAX });
  });

  it.each([
    ['https://Go.example.com/sale', 'go.example.com%2Fsale'],
    ['https://H.example/sale', 'sale'],
    [' sale ', 'sale'],
    ['localhost/sale', 'sale'],
    ['https://go.example.com/known', 'd.abcdefghjk%2Fknown'],
  ])('compares the link that %s names', async (value, name) => {
    const { shortOrigin } = config;
    Object.assign(config, { domains: true, shortOrigin: 'https://h.example' });
    const known = { name: 'd.abcdefghjk/known', label: 'go.example.com/known' };
    const requests = show('links', {}, [known]);
    expect(screen.getByText('Choose the links to compare.')).toBeTruthy();
    type('Code or short URL', value);
    await press('Add link');
    await waitFor(() =>
      expect(requests).toEqual([`GET /api/overview/compare?links=${name}&range=30d`]),
    );
    expect(screen.getByLabelText<HTMLInputElement>('Code or short URL').value).toBe('');
    Object.assign(config, { domains: false, shortOrigin });
  });

  it('adds a suggestion at once, and never one that is compared already', async () => {
    const label = 'go.example.com/autumn';
    const names = [
      { name: 'spring', label: 'spring' },
      { name: 'd.abcdefghjk/autumn', label },
    ];
    show('links&with=spring', { series: [series('spring', { '2026-11-20': 1 })] }, names);
    const table = await screen.findByRole('table', { name: 'Clicks compared' });
    const offered = document.querySelector(
      `#${screen.getByLabelText('Code or short URL').getAttribute('list')}`,
    );
    expect(offered?.querySelector('option')?.value).toBe(label);
    expect(offered?.textContent).toBe(label);
    type('Code or short URL', 'spring');
    await press('Add link');
    await press('Add link');
    expect(currentAddress()).toBe('/analytics?compare=links&with=spring');
    serve(() => new Promise(() => undefined));
    type('Code or short URL', label);
    await waitFor(() =>
      expect(currentAddress()).toBe('/analytics?compare=links&with=spring%2Cd.abcdefghjk%2Fautumn'),
    );
    // The earlier comparison stays while the next one loads.
    expect(table.isConnected).toBe(true);
    expect(table.closest('[aria-busy]')?.getAttribute('aria-busy')).toBe('true');
  });

  it('compares two tags and no more', async () => {
    const requests = show('tags&with=a,a,b,c', { series: [series('a', { '2026-11-20': 1 })] });
    expect(screen.getByRole('heading', { name: 'Compare tags' })).toBeTruthy();
    expect(screen.getByText('Up to 2 on one chart.')).toBeTruthy();
    await screen.findByText('1 click');
    expect(requests).toEqual(['GET /api/overview/compare?tags=a%2Cb&range=30d']);
    expect(legend().textContent).toBe('a 1 clickb ');
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add tag' })).toBeNull();
    await press('Remove b from the comparison');
    expect(screen.getByText('Choose another tag to compare it with.')).toBeTruthy();
    type('Tag', 'x/y');
    await press('Add tag');
    expect(currentAddress()).toBe('/analytics?compare=tags&with=a%2Cx%2Fy');
  });

  it('draws all links from the first day on which any of them had a click', async () => {
    Object.defineProperty(HTMLDivElement.prototype, 'clientWidth', {
      value: 600,
      configurable: true,
    });
    show('links&with=a,d.abcdefghjk/b,go.example.com/c', {
      range: 'all',
      period: { from: null, to: '2026-11-21' },
      series: [
        series('a', { '2026-11-20': 1 }),
        series('d.abcdefghjk/b', { '2026-11-19': 1_200 }, 'Spring'),
        { ...series('go.example.com/c', {}), code: 'd.abcdefghjk/c' },
      ],
    });
    const table = await screen.findByRole('table', { name: 'Clicks compared' });
    expect([...table.querySelectorAll('tr')].map((row) => row.textContent)).toEqual([
      'Datead.abcdefghjk/bgo.example.com/c',
      'Thursday, November 19, 202601,2000',
      'Friday, November 20, 2026100',
      'Saturday, November 21, 2026000',
    ]);
    const chart = screen.getByRole('slider', { name: 'Chart: clicks compared' });
    expect(chart.getAttribute('max')).toBe('2');
    fireEvent.change(chart, { target: { value: '1' } });
    expect(chart.getAttribute('aria-valuetext')).toBe(
      'Friday, November 20, 2026: a: 1 click, d.abcdefghjk/b: 0 clicks, go.example.com/c: 0 clicks',
    );
    expect(document.querySelector('[data-chart-point]')?.textContent).toBe(
      'Friday, November 20, 2026a1d.abcdefghjk/b0go.example.com/c0',
    );
    expect(legend().textContent).toBe('a 1 clickb Spring1,200 clicksgo.example.com/c 0 clicks');
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/analytics/a',
      '/analytics/d.abcdefghjk%2Fb',
      '/analytics/d.abcdefghjk%2Fc',
    ]);
    expect(screen.getByRole('button', { name: 'Remove b from the comparison' })).toBeTruthy();
    const dashesOf = (selector: string) =>
      [...document.querySelectorAll(selector)].map((line) => line.getAttribute('stroke-dasharray'));
    // The lines differ in more than their color.
    expect(dashesOf('figure path')).toEqual([null, '6 3', '2 3']);
    expect(dashesOf('ul line')).toEqual([null, '6 3', '2 3']);
    // The line at the point that is examined.
    expect(dashesOf('figure line.stroke-line-strong')).toEqual(['3 3']);
    const drawn = [...document.querySelectorAll('figure path')].map((path) => path.outerHTML);
    expect(new Set(drawn.map((html) => / d="([^"]*)"/.exec(html)?.[1])).size).toBe(3);
    const axes = document.querySelector('figure svg')?.textContent;
    expect(axes).toMatch(/^0.*1\.2KNov 19Nov 20Nov 21$/);
  });

  it('says which days cannot be compared', async () => {
    Object.defineProperty(HTMLDivElement.prototype, 'clientWidth', {
      value: 479,
      configurable: true,
    });
    const period = { from: '2026-08-24', to: '2026-11-21' };
    show('links&with=a', { shortenedBy: 'retention', period, series: [series('a', {})] });
    expect(await screen.findByText('Days before Aug 24, 2026 cannot be compared.')).toBeTruthy();
    // A narrow chart shows weeks.
    const [week] = screen.getAllByRole('rowheader');
    expect(week?.textContent.replaceAll('\u2009', ' ')).toBe('Aug 24 – 30');
  });

  it('says that a comparison failed, and asks for none without links', async () => {
    const requests = show('links&with=a', null);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to compare. Down.');
    expect(screen.queryByText('Loading the comparison…')).toBeNull();
    const sent = requests.length;
    await press('Remove a from the comparison');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(requests).toHaveLength(sent);
  });
});

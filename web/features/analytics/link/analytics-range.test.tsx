import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeReport } from '#web/testing/make-report.ts';
import { serve, type Asked } from '#web/testing/fake-server.ts';
import { listControls } from '#web/testing/list-controls.ts';
import {
  choose,
  currentAddress,
  goBack,
  press,
  renderPage,
  showPage,
} from '#web/testing/render-page.tsx';
import { AnalyticsPage } from './analytics-page.tsx';
import { RangePicker } from '#web/features/analytics/range-picker.tsx';
import { parseSelection, type Selection } from '#web/features/analytics/range.ts';

/** The report of a link with clicks, for the range that is asked for. */
function report({ query }: Asked, created?: string) {
  const asked = parseSelection(query) ?? { range: 'all' as const };
  return makeReport({
    ...('range' in asked ? asked : { range: 'custom', period: asked }),
    ...(created !== undefined && { created }),
    analytics: { totalClicks: 10, clicksByDate: { '2026-11-20': 10 } },
  });
}
const show = (address: string) =>
  renderPage(
    <Routes>
      <Route
        path="/analytics/:code"
        element={
          <AnalyticsPage
            onUpgrade={() => undefined}
            onShare={() => undefined}
            renderQr={() => null}
          />
        }
      />
    </Routes>,
    ['/analytics/b', address],
  );
const pick = (range: string): void =>
  void fireEvent.click(screen.getByRole('radio', { name: range }));
/** Where letters are typed, or mean something else. */
const TYPING = [
  '<input class="typing">',
  '<textarea class="typing"></textarea>',
  '<select class="typing"></select>',
  '<div role="dialog"><button class="typing"></button></div>',
  '<div role="menu"><button class="typing"></button></div>',
];
const isChosen = (range: string): boolean =>
  screen.getByRole<HTMLInputElement>('radio', { name: range }).checked;

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('range of the report', () => {
  it('opens on 30 days, and another range is a step in the history', async () => {
    const requests = serve((asked) => report(asked));
    show('/analytics/a?range=nonsense');
    await screen.findByText('Total Clicks');
    expect(requests[0]).toBe('GET /api/analytics/a?range=30d');
    expect(isChosen('30 days')).toBe(true);
    pick('7 days');
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a?range=7d'));
    await waitFor(() => expect(requests).toContain('GET /api/analytics/a?range=7d'));
    pick('30 days');
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a'));
    goBack();
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a?range=7d'));
  });

  it('opens on the whole life of a link younger than 30 days', async () => {
    const requests = serve((asked) => report(asked, '2026-11-01T00:00:00Z'));
    show('/analytics/a');
    await screen.findByText('Total Clicks');
    expect(isChosen('All')).toBe(true);
    const printed = screen.getByText(/^Clicks in all time: /).textContent;
    expect(printed.replaceAll('\u2009', ' ')).toContain(': Nov 1 – 21, 2026.');
    pick('30 days');
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a?range=30d'));
    expect(await screen.findByText('10 in the last 30 days')).toBeTruthy();
    pick('All');
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a'));
    expect(new Set(requests)).toEqual(new Set(['GET /api/analytics/a?range=30d']));
  });

  it('the keys d, w and m choose a range, but not while typing', async () => {
    serve((asked) => report(asked));
    show('/analytics/a');
    await screen.findByText('Total Clicks');
    const type = (key: string, rest = {}) => fireEvent.keyDown(document.body, { key, ...rest });
    type('w');
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a?range=7d'));
    type('d');
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a?range=24h'));
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) type('w', { [modifier]: true });
    const box = document.body.appendChild(document.createElement('div'));
    for (const field of TYPING) {
      box.innerHTML = field;
      fireEvent.keyDown(box.querySelector('.typing') ?? document.body, { key: 'w' });
    }
    box.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    fireEvent.keyDown(box, { key: 'w' });
    expect(currentAddress()).toBe('/analytics/a?range=24h');
    goBack();
    expect(currentAddress()).toBe('/analytics/a?range=7d');
    box.innerHTML = '<input type="radio">';
    // The page does not get the key, too.
    expect(fireEvent.keyDown(box.firstElementChild ?? box, { key: 'm' })).toBe(false);
    box.remove();
    await waitFor(() => expect(currentAddress()).toBe('/analytics/a'));
  });

  it('offers last month and own dates', async () => {
    const requests = serve((asked) => report(asked));
    show('/analytics/a');
    await screen.findByText('Total Clicks');
    await choose('More time ranges', 'Last month');
    await waitFor(() => expect(currentAddress()).toMatch(/\?from=\d{4}-\d\d-01&to=/));
    expect(requests.at(-1)).toMatch(/^GET \/api\/analytics\/a\?from=.*&to=/);
    await choose('Time range: Last month', 'Own dates…');
    const day = async (label: string, value: string) =>
      fireEvent.change(await screen.findByLabelText(label), { target: { value } });
    await day('First day', '2026-10-05');
    await day('Last day', '2026-10-02');
    await press('Show dates');
    expect(await screen.findByText('Choose a day on or after the first.')).toBeTruthy();
    await day('Last day', '2026-10-09');
    await press('Show dates');
    await waitFor(() =>
      expect(currentAddress()).toBe('/analytics/a?from=2026-10-05&to=2026-10-09'),
    );
  });

  it('own dates may begin today, and no later', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) });
    serve((asked) => report(asked));
    show('/analytics/a');
    await choose('More time ranges', 'Own dates…');
    const begin = async (day: string): Promise<void> => {
      for (const label of ['First day', 'Last day'])
        fireEvent.change(await screen.findByLabelText(label), { target: { value: day } });
      await press('Show dates');
    };
    await begin('2026-11-21');
    expect(await screen.findByText('Choose a day up to today.')).toBeTruthy();
    await begin('2026-11-20');
    await waitFor(() =>
      expect(currentAddress()).toBe('/analytics/a?from=2026-11-20&to=2026-11-20'),
    );
  });
});

describe('RangePicker', () => {
  it('the menu has today, two months and a year, and own dates from this month on', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) });
    const onChange = vi.fn<(range: Selection) => void>();
    const menu = 'More time ranges';
    showPage(<RangePicker value={{ range: '7d' }} onChange={onChange} />);
    expect(screen.getByRole('group', { name: 'Time range' })).toBeTruthy();
    for (const item of ['Today', 'This month', 'Last month', 'Last 12 months'])
      await choose(menu, item);
    const chosen = [
      { range: 'today' },
      { from: '2026-11-01', to: '2026-11-20' },
      { from: '2026-10-01', to: '2026-10-31' },
      { range: '12m' },
    ];
    expect(onChange.mock.calls).toEqual(chosen.map((range) => [range]));
    await choose(menu, 'Own dates…');
    await screen.findByLabelText('First day');
    expect(listControls()).toEqual([
      'First day: 2026-11-01, date, max=2026-11-20',
      'Last day: 2026-11-20, date, min=2026-11-01, max=2026-11-20',
    ]);
    for (const label of ['First day', 'Last day'])
      fireEvent.change(screen.getByLabelText(label), { target: { value: '' } });
    expect(screen.queryByText(/^Choose the/)).toBeNull();
    await press('Show dates');
    expect(screen.getAllByText(/^Choose the/).map(({ textContent }) => textContent)).toEqual([
      'Choose the first day.',
      'Choose the last day.',
    ]);
    await press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onChange).toHaveBeenCalledTimes(chosen.length);
  });

  it('own dates begin with the chosen ones', async () => {
    const value = { from: '2026-10-05', to: '2026-10-09' };
    const onChange = vi.fn<(range: Selection) => void>();
    showPage(<RangePicker value={value} onChange={onChange} />);
    await choose(/^Time range: Oct 5.*9, 2026$/, 'Own dates…');
    await press('Show dates');
    expect(onChange).toHaveBeenCalledExactlyOnceWith(value);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

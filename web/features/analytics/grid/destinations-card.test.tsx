import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DestinationFigures } from '#contract/reports/analytics.ts';
import { measureShare } from '#contract/reports/compare-shares.ts';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { renderPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { DestinationsCard } from './destinations-card.tsx';

afterEach(() => {
  cleanup();
  takeToasts();
  vi.unstubAllGlobals();
});

const A = 'https://a.example/';
const B = 'https://b.example/page';
const rowsOf = (a: number, b: number): DestinationFigures[] => [
  { url: A, weight: 70, clicks: a + 9, visitors: a, share: measureShare(a, a + b) },
  { url: B, weight: 30, clicks: b + 9, visitors: b, share: measureShare(b, a + b) },
];
const EARLIER = { url: null, weight: null, clicks: 4, visitors: 2, share: null };

const show = (destinations: DestinationFigures[], canChange = true) =>
  renderPage(
    <DestinationsCard code="d.abcdefghjk/a" destinations={destinations} canChange={canChange} />,
  );
/** Waits for a message, and returns it. */
const said = () => vi.waitUntil(() => takeToasts()[0], { timeout: 60_000 });

describe('DestinationsCard', () => {
  it('shows shares as set and measured with their interval, visitors and clicks', () => {
    show([...rowsOf(140, 60), EARLIER]);
    const [own, other, earlier] = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(own).toContain('70% set, 70% measured (63% to 76%) · 140 visitors · 149 clicks');
    expect(own).toContain('Default');
    expect(other).toContain('30% set, 30% measured (24% to 37%)');
    expect(other).not.toContain('Default');
    expect(screen.getAllByRole('button', { name: /the destination$/ })).toHaveLength(1);
    expect(earlier).toBe('Earlier destinationsEarlier2 visitors · 4 clicks');
    cleanup();
    show(rowsOf(0, 0));
    const [none] = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(none).toContain('70% set, no visitors yet · 0 visitors · 9 clicks');
  });

  it.each([
    [rowsOf(0, 0), /Too few visitors/],
    [rowsOf(40, 30), /Too few visitors/],
    [rowsOf(140, 60), /chance explains the difference/],
    [rowsOf(100, 100), /more than chance explains/],
  ])('says what the difference from the set shares means (%#)', (rows, text) => {
    show(rows);
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('makes a variant the destination in one press, and undoes it', async () => {
    const path = 'PATCH /api/links/d.abcdefghjk%2Fa';
    let fails = false;
    let isBusy = false;
    const requests = serve(async () => {
      await new Promise((resolve) => setTimeout(resolve));
      isBusy = document.querySelector('button[aria-busy="true"]') !== null;
      return fails ? rejection(503, 'Down.') : {};
    });
    const { client } = show(rowsOf(140, 60));
    const reload = vi.spyOn(client, 'invalidateQueries');
    const settle = () =>
      fireEvent.click(screen.getByRole('button', { name: 'Make b.example/page the destination' }));
    settle();
    const { text, action } = await said();
    expect([text, isBusy, action?.label]).toEqual([
      'All visitors now get b.example/page.',
      true,
      'Undo',
    ]);
    expect(reload.mock.calls.map(([filters]) => filters?.queryKey)).toEqual([
      ['analytics'],
      ['my-urls'],
    ]);
    action?.onSelect();
    expect((await said()).text).toBe('The link divides its visitors again.');
    expect(requests).toEqual([
      `${path} {"longUrl":"${B}","variants":[]}`,
      `${path} {"longUrl":"${A}","variants":[{"url":"${B}","weight":30}]}`,
    ]);
    fails = true;
    action?.onSelect();
    expect(await said()).toMatchObject({ text: 'Undo failed.', note: 'Down.' });
    settle();
    expect(await said()).toMatchObject({ text: 'The link was not changed.', note: 'Down.' });
  });

  it('offers no change to a reader who may not change the link', () => {
    show(rowsOf(140, 60), false);
    expect(screen.queryByRole('button', { name: /the destination/ })).toBeNull();
  });
});

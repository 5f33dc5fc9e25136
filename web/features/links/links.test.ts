import { cleanup, render, screen } from '@testing-library/react';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import type { ListedLink } from '#contract/links/links.ts';
import { makeLink, PLAIN_REDIRECT } from '#web/testing/make-link.ts';
import { buildRestoreChange } from './history-dialog.tsx';
import { buildLinkChange, toForm } from './link-change.ts';
import { readFilters, toApiQuery } from './link-filters.ts';
import { averageClicks, LinkStats } from './link-stats.tsx';
import { describeFilters } from './views-dialog.tsx';

const link = makeLink({ tags: [{ id: 1, name: 'one', color: 'blue' }] });

describe('averageClicks', () => {
  it('the average of clicks is rounded, and 0 without links', () => {
    expect(averageClicks({ links: 0, clicks: 0 })).toBe(0);
    expect(averageClicks({ links: 2, clicks: 5 })).toBe(3);
    expect(averageClicks({ links: 3, clicks: 4 })).toBe(1);
  });
});

const build = (of: ListedLink, change: Partial<ReturnType<typeof toForm>>) =>
  buildLinkChange(of, { ...toForm(of), ...change });

describe('buildLinkChange', () => {
  it('contains only what changed', () => {
    expect(build(link, {})).toBeNull();
    expect(build(link, { longUrl: 'https://example.com/b' })).toEqual({
      longUrl: 'https://example.com/b',
    });
    expect(build(link, { expiresAt: Date.UTC(2027, 0, 1, 12) })).toEqual({
      expiresAt: Date.UTC(2027, 0, 1, 12),
    });
  });

  it('builds a change with title, note and all tags where they changed', () => {
    expect(build(link, { title: 'T', tags: ['one', 'two'] })).toEqual({
      title: 'T',
      tags: ['one', 'two'],
    });
    expect(build(link, { forwardParams: ['ref', 'gclid'] })).toEqual({
      forwardParams: ['ref', 'gclid'],
    });
    expect(build(link, { note: 'N', tags: [] })).toEqual({ note: 'N', tags: [] });
  });

  it('removes an end date and keeps an unchanged one', () => {
    const ending = { ...link, expires_at: '2027-01-05T02:03:04.000Z' };
    expect(build(ending, { title: 'T' })).toEqual({ title: 'T' });
    expect(build(ending, { expiresAt: null })).toEqual({ expiresAt: null });
  });
});

describe('buildRestoreChange', () => {
  it('returns the change that restores an earlier state', () => {
    const state = {
      short_code: link.short_code,
      domain: link.domain,
      long_url: link.long_url,
      ...PLAIN_REDIRECT,
      status: 'active' as const,
      title: '',
      note: '',
      tags: ['one'],
      archived: false,
      card_at: null,
    };
    expect(buildRestoreChange(link, state)).toBeNull();
    expect(
      buildRestoreChange(link, {
        ...state,
        long_url: 'https://example.com/old',
        status: 'disabled',
        note: 'N',
      }),
    ).toEqual({
      longUrl: 'https://example.com/old',
      enabled: false,
      note: 'N',
    });
    expect(buildRestoreChange(link, { ...state, forward_params: ['ref'] })).toEqual({
      forwardParams: ['ref'],
    });
    expect(
      buildRestoreChange({ ...link, expires_at: '2027-01-05T02:03:00.000Z', title: 'T' }, state),
    ).toEqual({
      expiresAt: null,
      title: '',
    });
    expect(
      buildRestoreChange(link, { ...state, short_code: 'old', tags: [], archived: true }),
    ).toEqual({
      customCode: 'old',
      tags: [],
      archived: true,
    });
  });

  it('a restored version from the trash leaves a link as active as it is', () => {
    const state = {
      short_code: link.short_code,
      domain: link.domain,
      long_url: 'https://example.com/old',
      ...PLAIN_REDIRECT,
      status: 'deleted' as const,
      title: '',
      note: '',
      tags: ['one'],
      archived: false,
      card_at: null,
    };
    expect(buildRestoreChange(link, state)).toEqual({ longUrl: 'https://example.com/old' });
  });
});

describe('LinkStats', () => {
  it.each([
    [null, false, ['', '', '', '']],
    [null, true, ['–', '–', '–', '–']],
    [
      { links: 1_000, clicks: 2_500, active: 7, countedAt: null },
      false,
      ['1,000', '2,500', '7', '3'],
    ],
  ])('shows figures of %o (failed: %s)', (totals, failed, values) => {
    render(createElement(LinkStats, { totals, failed, plan: null }));
    const shown = screen
      .getAllByRole('definition')
      .filter(({ className }) => /semi/.test(className));
    const isBusy = document.querySelector('dl')?.getAttribute('aria-busy') === 'true';
    expect(isBusy).toBe(totals === null && !failed);
    expect(shown.map(({ textContent }) => textContent)).toEqual(values);
    cleanup();
  });

  it('says of when the figures of a large account are', () => {
    const totals = { links: 1, clicks: 2, active: 1, countedAt: '2026-11-21T10:00:00Z' };
    render(createElement(LinkStats, { totals, failed: false, plan: null }));
    expect(screen.getByText(/^As of Nov 21, 2026/)).toBeTruthy();
    expect(screen.queryByText('Without deleted links')).toBeNull();
    cleanup();
  });

  it('follows the plan, and draws the zeros of an account without links quietly', () => {
    const plan = createElement('p', {}, 'the plan');
    const show = (links: number) => {
      const totals = { links, clicks: 0, active: 0, countedAt: null };
      render(createElement(LinkStats, { totals, failed: false, plan }));
      const [figure] = screen.getAllByRole('definition');
      const found = [
        screen.getByText('the plan').textContent,
        /semi/.test(figure?.className ?? ''),
      ];
      cleanup();
      return found;
    };
    expect([show(1), show(0)]).toEqual([
      ['the plan', true],
      ['the plan', false],
    ]);
  });
});

describe('describeFilters', () => {
  it('says what a view lists', () => {
    expect(describeFilters({})).toBe('All links');
    expect(
      describeFilters({
        q: 'a',
        status: 'expired',
        tag: 'T',
        favorite: '1',
        health: 'dead',
        host: 'a.example',
        domain: 'b.example',
        from: '2026-01-31',
        to: '2026-02-28',
        min_clicks: '1',
        max_clicks: '5',
        import: 'a'.repeat(16),
        sort: '-clicks',
      }),
    ).toBe(
      '“a” · Expired · Tag T · Favorites · Destination check: Unreachable · To a.example · ' +
        'On b.example · From 2026-01-31 · Until 2026-02-28 · At least 1 click · ' +
        'At most 5 clicks · One import · Most clicks',
    );
  });
});

describe('filters of the list', () => {
  it('filters come from the address, without what the API would reject', () => {
    const params = new URLSearchParams(
      'q=+a+&status=none&sort=clicks&from=2026-02-30x&to=2026-02-28&min_clicks=-1&max_clicks=5&x=1',
    );
    const rejected = 'health=bad&sort=size&from=2026-13-01&import=short&favorite=yes';
    expect(readFilters(new URLSearchParams(rejected))).toEqual({});
    expect(readFilters(params)).toEqual({
      q: 'a',
      sort: 'clicks',
      to: '2026-02-28',
      max_clicks: '5',
    });
  });

  it('filters have at most 100 characters, and counts at most 12 digits', () => {
    const params = new URLSearchParams({
      q: 'a'.repeat(101),
      min_clicks: '9'.repeat(12),
      max_clicks: '9'.repeat(13),
    });
    expect(readFilters(params)).toEqual({ q: 'a'.repeat(100), min_clicks: '9'.repeat(12) });
  });

  it('filters ask the API for whole days', () => {
    const query = new URLSearchParams(
      toApiQuery({ tag: 'a b', from: '2026-02-28', to: '2026-02-28' }),
    );
    expect(Object.fromEntries(query)).toEqual({
      tag: 'a b',
      from: '2026-02-28T00:00:00Z',
      to: '2026-03-01T00:00:00.000Z',
    });
    expect(toApiQuery({})).toBe('');
  });
});

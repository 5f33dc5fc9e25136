import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LinkActivity } from '#contract/links/link-activity.ts';
import type { ListedLink } from '#contract/links/links.ts';
import type { TagColor } from '#contract/links/tags.ts';
import { DEAD, makeLink } from '#web/testing/make-link.ts';
import { LinkRow } from './link-row.tsx';
import { TrashRow } from './trash-row.tsx';

const link = makeLink({
  long_url: 'https://www.example.com/a/path?q=1',
  click_count: 1_234_567_890,
});

const NOW = Date.parse('2026-11-20T12:00:00Z');

const show = (change: Partial<ListedLink> = {}, activity?: LinkActivity) => {
  const onAction = vi.fn();
  render(
    <MemoryRouter>
      <ul>
        <LinkRow
          link={{ ...link, ...change }}
          activity={activity}
          now={NOW}
          isSelected={false}
          onSelect={() => undefined}
          onTag={() => undefined}
          onAction={onAction}
        />
      </ul>
    </MemoryRouter>,
  );
  return onAction;
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('names the link in every action and leads to its analytics by the clicks', () => {
  show();
  const row = within(screen.getByRole('listitem'));
  const clicks = row.getByRole('link', { name: 'Analytics of abc, 1,234,567,890 clicks' });
  expect(clicks.getAttribute('href')).toBe('/analytics/abc');
  expect(clicks.textContent).toBe('1,234,567,890 clicks');
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  fireEvent.click(row.getByRole('button', { name: 'Copy hop.example/abc' }));
  expect(copied).toHaveBeenCalledExactlyOnceWith('https://hop.example/abc');
  expect(row.getByRole('link', { name: 'Preview of hop.example/abc' }).getAttribute('href')).toBe(
    'https://hop.example/abc+',
  );
  expect(row.getByRole('button', { name: 'More actions for abc' })).toBeTruthy();
});

it('opens the preview by the code, which counts no click', () => {
  show();
  const code = screen.getByText('abc').closest('a');
  expect(code?.getAttribute('href')).toBe('https://hop.example/abc+');
  expect(code?.getAttribute('aria-label')).toBe('Preview of hop.example/abc');
});

it('a link on a domain shows its host and its code, and not its key', () => {
  show({ short_code: 'd.abcdefghjk/sale', short_url: 'https://go.example/sale' });
  const row = within(screen.getByRole('listitem'));
  const preview = row.getByRole('link', { name: 'Preview of go.example/sale' });
  expect(preview.getAttribute('href')).toBe('https://go.example/sale+');
  expect(preview.textContent).toBe('go.example/sale');
  const clicks = row.getByRole('link', { name: /^Analytics of sale,/ });
  expect(clicks.getAttribute('href')).toBe('/analytics/d.abcdefghjk%2Fsale');
  expect(row.getByRole('button', { name: 'More actions for sale' })).toBeTruthy();
  expect(row.getByRole('checkbox', { name: 'Select sale' })).toBeTruthy();
});

it('shows what a link has, and warns once its limit is used up', () => {
  const note = 'n'.repeat(301);
  const variants = ['https://a.example/', 'https://b.example/'].map((url) => ({ url, weight: 1 }));
  show({ title: 'Spring', favorite: true, has_password: true, note, variants });
  for (const text of ['Favorite', 'Has a password', '2 variants']) screen.getByText(text);
  expect(screen.getAllByText('Spring')).toHaveLength(2);
  const button = screen.getByRole('button', { name: `Note: ${note.slice(1)}` });
  expect(button.dataset['tooltip']).toBe(note.slice(1));
  cleanup();
  show({ click_limit: 2_000, limit_used: 2_000 });
  expect(screen.getByText('2,000 of 2,000').className).toContain('text-warn');
});

describe('checks of the destination', () => {
  it('a dead destination has a mark, the reason and the time', () => {
    show({ health: DEAD });
    expect(screen.getByText('Unreachable')).toBeTruthy();
    const line = screen.getByText(/^Unreachable since .*\. The destination answered 404\.$/);
    expect(line.querySelector('time')?.dateTime).toBe(DEAD.since);
    expect(line.textContent).not.toContain('fallback');
  });

  it('names the destination that a fallback replaces', () => {
    show({ health: { ...DEAD, replacedUrl: 'https://example.com/home' } });
    expect(screen.getByText(/leads to its fallback instead of/).textContent).toBe(
      ' The link leads to its fallback instead of example.com/home.',
    );
  });

  it.each(['ok', 'suspect', 'unclear'] as const)(
    'a destination that is %s has no mark',
    (state) => {
      show({ health: { ...DEAD, state } });
      expect(screen.queryByText(/unreachable/i)).toBeNull();
    },
  );
});

describe('activity of a link', () => {
  const days = [0, 400, 0, 0, 1_000, 0, 100];
  const bars = (): number[] =>
    [...document.querySelectorAll('rect[rx="1"]')].map((bar) => Number(bar.getAttribute('height')));

  it('draws the last seven days and says when the last click was', () => {
    const lastClickAt = '2026-11-20T10:00:00Z';
    show({ click_count: 20 }, { id: 1, clicks: 3_000, days, lastClickAt });
    expect(bars()).toEqual([1, 6, 1, 1, 14, 1, 3]);
    const today = document.querySelectorAll('rect.fill-accent');
    expect([...today].map((bar) => [bar.getAttribute('x'), bar.getAttribute('y')])).toEqual([
      ['24', '11'],
    ]);
    const time = screen.getByText('last click 2 hours ago');
    expect(time.getAttribute('datetime')).toBe(lastClickAt);
    expect(time.dataset['tooltip']).toMatch(/^Nov 20, 2026/);
    const name = 'Analytics of abc, 3,000 clicks, 1,500 in the last 7 days';
    const pill = screen.getByRole('link', { name });
    expect(pill.dataset['tooltip']).toBe('1,500 in the last 7 days');
    expect(pill.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
    cleanup();
    // The list can be newer than the activity.
    show({ click_count: 4_000 }, { id: 1, clicks: 3_000, days, lastClickAt });
    expect(screen.getByRole('link', { name: /^Analytics/ }).textContent).toBe('4,000 clicks');
  });

  it('a row keeps the place of the bars and says nothing of clicks while they load', () => {
    show({ click_count: 1 });
    expect(bars()).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(document.querySelector('rect.fill-accent')).toBeNull();
    expect(screen.getByRole('link', { name: /^Analytics/ }).textContent).toBe('1 click');
    expect(screen.queryByText(/last click|no clicks yet|in the last 7 days/)).toBeNull();
  });

  it('says that there are no clicks yet', () => {
    show({ click_count: 0 });
    expect(screen.getByText('no clicks yet')).toBeTruthy();
  });
});

describe('color of a link', () => {
  const tint = (): string => screen.getByText('', { selector: '[data-initial]' }).className;
  const tag = (color: TagColor) => ({ id: 1, name: color, color });

  it('shows the color of the first tag', () => {
    show({ tags: [tag('red'), tag('blue')] });
    expect(tint()).toContain('bg-bad/12');
  });

  it('shows one color for all links to a host, and another one for other hosts', () => {
    const tints = ['https://www.a.example/1', 'https://a.example/2', 'https://b.example/'].map(
      (long_url) => {
        show({ long_url });
        const shown = /bg-[\w-]+\/12/.exec(tint())?.[0];
        cleanup();
        return shown;
      },
    );
    expect(tints[0]).toBe(tints[1]);
    expect(tints[0]).not.toBe(tints[2]);
  });
});

it('stresses the host of the target and keeps the creation date', () => {
  show();
  const target = document.querySelector('[data-tooltip="www.example.com/a/path?q=1"]');
  expect(target?.textContent).toBe('www.example.com/a/path?q=1');
  expect(target?.firstElementChild?.textContent).toBe('www.example.com');
  expect(target?.getAttribute('href')).toBe(link.long_url);
  const time = screen.getByRole<HTMLTimeElement>('time');
  expect(time.textContent).toBe('Created Nov 1, 2026');
  expect(time.dateTime).toBe(link.created_at);
  expect(time.dataset['tooltip']).toMatch(/^Created Nov 1, 2026, .*, 2 weeks ago$/);
});

it.each([
  [{ expires_at: '2026-11-20T12:00:00Z' }, ['Expired']],
  [{ status: 'disabled', expires_at: '2026-11-19T12:00:00Z' }, ['Disabled']],
  [
    { status: 'disabled', expires_at: '2026-12-19T12:00:00Z', archived: true },
    ['Archived', 'Disabled'],
  ],
] as const)('shows no other state of %o', (change, states) => {
  show(change);
  const badges = screen.queryAllByText(/^(Disabled|Expired|Until .*|Archived|Reported .*)$/);
  expect(badges.map(({ textContent }) => textContent)).toEqual(states);
  const { className } = screen.getByRole('link', { name: /^Preview/ });
  expect(className.includes('line-through')).toBe('status' in change);
});

it.each([
  [
    {},
    ['Disable link', 'Add to favorites', 'Archive link'],
    ['toggle', 'favorite', 'archive'],
    '/analytics/abc',
  ],
  [
    { short_code: 'd.k/abc', status: 'disabled', favorite: true, archived: true },
    ['Enable link', 'Remove from favorites', 'Unarchive link'],
    ['toggle', 'unfavorite', 'unarchive'],
    '/analytics/d.k%2Fabc',
  ],
] as const)('offers the opposite of the state of %o', async (change, labels, actions, path) => {
  const onAction = show(change);
  fireEvent.click(screen.getByLabelText('More actions for abc'));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Analytics',
    'Edit link',
    'Rename link',
    'Preview card',
    'History',
    'QR code',
    ...labels,
    'Delete link',
  ]);
  expect(items[0]?.getAttribute('href')).toBe(path);
  act(() => {
    for (const item of items.slice(1)) item.click();
  });
  const dialogs = ['edit', 'rename', 'card', 'history', 'qr'];
  expect(onAction.mock.calls.flat()).toEqual([...dialogs, ...actions, 'delete']);
});

it('the target does not learn where its visitors come from, nor is it recommended', () => {
  show();
  expect(screen.getByText('www.example.com').closest('a')?.rel).toBe(
    'noopener noreferrer nofollow',
  );
});

it.each([
  ['2026-11-20T12:00:09Z', '30 days left'],
  ['2026-11-20T12:00:00Z', '30 days left'],
  ['2026-11-19T13:00:00Z', '30 days left'],
  ['2026-11-19T12:00:00Z', '29 days left'],
  ['2026-10-21T12:00:01Z', '1 day left'],
  ['2026-10-20T12:00:00Z', '1 day left'],
])('a link that was deleted at %s has %s', (deleted_at, left) => {
  const shown = { ...link, deleted_at, short_code: 'd.k/abc' };
  const row = (title: string) => (
    <TrashRow
      link={{ ...shown, title }}
      now={NOW}
      pending={false}
      onRestore={() => undefined}
      onPurge={() => undefined}
    />
  );
  const { rerender } = render(row(''));
  expect(screen.getByText(left)).toBeTruthy();
  const day = deleted_at.slice(8, 10);
  expect(screen.getByText(new RegExp(`^Deleted \\w+ ${day}, 2026,$`))).toBeTruthy();
  expect(screen.getByText('hop.example/abc')).toBeTruthy();
  expect(screen.getByLabelText('Restore abc')).toBeTruthy();
  expect(screen.getByText('www.example.com/a/path?q=1')).toBeTruthy();
  rerender(row('Spring'));
  expect(screen.getByText('Spring')).toBeTruthy();
  shown.status_reason = 'This link does not redirect: go.example.com was deleted.';
  rerender(row(''));
  expect(screen.getByText(shown.status_reason)).toBeTruthy();
});

it.each<[Partial<ListedLink>, string]>([
  [{ status: 'disabled', status_reason: 'Reported as phishing.' }, 'Disabled'],
  [{ status_reason: 'Its domain is suspended.' }, 'Its domain is suspended.'],
  [{ expires_at: '2026-11-19T12:00:00Z' }, 'Expired'],
  [{ expires_at: '2026-12-19T12:00:00Z' }, 'Until Dec 19, 2026'],
  [
    { starts_at: '2026-12-18T12:00:00Z', expires_at: '2026-12-19T12:00:00Z' },
    'Starts Dec 18, 2026',
  ],
  [{ starts_at: '2026-11-20T12:00:00Z', expires_at: '2026-12-19T12:00:00Z' }, 'Until Dec 19, 2026'],
  [{ rules: [{ if: { device: ['ios'] }, to: 'https://app.example/' }] }, '1 rule'],
  [{ click_limit: 10, limit_used: 3 }, '3 of 10'],
])('shows the state of %o', (change, state) => {
  show(change);
  // Dates are in another place on phones.
  expect(screen.getAllByText(state)).toHaveLength(/^(Starts|Until)/.test(state) ? 2 : 1);
  if (change.status_reason) expect(screen.getByText(change.status_reason)).toBeTruthy();
});

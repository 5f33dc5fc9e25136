import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import type { ListedLink } from '#contract/links.ts';
import { LinkRow } from './link-row.tsx';

const link: ListedLink = {
  id: 1,
  short_code: 'abc',
  earlier_codes: [],
  short_url: 'https://hop.example/abc',
  long_url: 'https://www.example.com/a/path?q=1',
  click_count: 1_234_567_890,
  created_at: '2026-11-01T12:00:00Z',
  status: 'active',
  status_reason: null,
  expires_at: null,
  title: '',
  note: '',
  tags: [],
  favorite: false,
  archived: false,
  forward_params: 'none',
  deleted_at: null,
};

const show = (change: Partial<ListedLink> = {}): void => {
  render(
    <MemoryRouter>
      <ul>
        <LinkRow
          link={{ ...link, ...change }}
          now={Date.parse('2026-11-20T12:00:00Z')}
          isSelected={false}
          onSelect={() => undefined}
          onTag={() => undefined}
          onAction={() => undefined}
        />
      </ul>
    </MemoryRouter>,
  );
};

afterEach(cleanup);

it('names the link in every action and leads to its analytics by the clicks', () => {
  show();
  const row = within(screen.getByRole('listitem'));
  const clicks = row.getByRole('link', { name: 'Analytics of abc, 1,234,567,890 clicks' });
  expect(clicks.getAttribute('href')).toBe('/analytics/abc');
  expect(clicks.textContent).toBe('1,234,567,890 clicks');
  expect(row.getByRole('button', { name: 'Copy hop.example/abc' })).toBeTruthy();
  expect(row.getByRole('link', { name: 'Preview of hop.example/abc' }).getAttribute('href')).toBe(
    '/abc+',
  );
  expect(row.getByRole('button', { name: 'More actions for abc' })).toBeTruthy();
});

it('stresses the host of the target and keeps the creation date', () => {
  show();
  const target = document.querySelector('[data-tooltip="www.example.com/a/path?q=1"]');
  expect(target?.textContent).toBe('www.example.com/a/path?q=1');
  expect(target?.firstElementChild?.textContent).toBe('www.example.com');
  expect(screen.getByRole('time').textContent).toBe('Created Nov 1, 2026');
});

it.each([
  [{ status: 'disabled', status_reason: 'Reported as phishing.' }, 'Disabled'],
  [{ expires_at: '2026-11-19T12:00:00Z' }, 'Expired'],
  [{ expires_at: '2026-12-19T12:00:00Z' }, 'Until Dec 19, 2026'],
] as const)('shows the state of %o', (change, state) => {
  show(change);
  expect(screen.getByText(state)).toBeTruthy();
  if ('status_reason' in change) expect(screen.getByText(change.status_reason)).toBeTruthy();
});

import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ShortenResponse } from '#contract/links/links.ts';
import {
  addBrowserLink,
  readBrowserLinks,
  removeBrowserLinks,
} from '#web/features/browser-links/stored-links.ts';
import { startSession } from '#web/shared/session/session.ts';
import { makeLinks } from '#web/testing/make-link.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { HomePage } from './home-page.tsx';
import { queries } from './query-client.tsx';

afterEach(() => {
  cleanup();
  queries.clear();
  removeBrowserLinks(readBrowserLinks().links);
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const OWN: ShortenResponse = {
  code: 'my-own',
  shortUrl: 'https://hop.example/my-own',
  longUrl: 'https://example.com/own',
  created_at: '2026-11-26T10:00:00Z',
  claimToken: 'token',
};

describe('HomePage', () => {
  it('shows a member the form, the plan, the week and the last links, and no pitch', async () => {
    signInAsMember();
    serveRoutes({
      'GET /api/me': { id: 'id of a@example.com', email: 'a@example.com', role: 'user' },
      'GET /api/my-urls': { urls: makeLinks(4), totals: null, nextCursor: null },
      'GET /api/analytics': {
        generatedAt: '2026-11-26T10:00:00Z',
        analytics: { clicksByDate: { '2026-11-26': 5 } },
      },
      'GET /api/subscription': {
        plan_type: 'free',
        monthly_limit: 25,
        current_usage: 8,
        cycle_ends_at: '2026-12-12T12:00:00Z',
        downgrade_at: null,
      },
    });
    showPage(<HomePage />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Shorten a link');
    expect(await screen.findByText('8 of 25')).toBeTruthy();
    expect(await screen.findByText('5 clicks in the last 7 days.')).toBeTruthy();
    expect((await screen.findByRole('list', { name: 'Your last links' })).children).toHaveLength(3);
    for (const text of ['A poster that reports back', 'Start free'])
      expect(screen.queryByText(text)).toBeNull();
  });

  it('shows a visitor the pitch, and the own links in place of the example', async () => {
    serveRoutes({});
    showPage(<HomePage />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^Short links that keep/);
    expect(await screen.findByText('Start free')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Import your links' }).getAttribute('href')).toBe(
      '/auth?tab=sign-up&next=%2Flinks%2Fimport',
    );
    const example = () =>
      document.getElementById('example')?.closest('[class*="group/place"]')?.className ?? '';
    expect(example()).not.toMatch(/\bhidden\b/);
    cleanup();
    addBrowserLink(OWN);
    showPage(<HomePage />);
    expect(await screen.findByRole('list', { name: 'Links made in this browser' })).toBeTruthy();
    expect(example()).toMatch(/\bhidden\b/);
  });
});

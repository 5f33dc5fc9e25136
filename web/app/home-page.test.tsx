import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ShortenResponse } from '#contract/links/links.ts';
import {
  addBrowserLink,
  readBrowserLinks,
  removeBrowserLinks,
} from '#web/features/browser-links/stored-links.ts';
import { awaitFirstUse } from '#web/shared/page/first-use.ts';
import { startSession } from '#web/shared/session/session.ts';
import { makeLinks } from '#web/testing/make-link.ts';
import { typeInto } from '#web/testing/describe-forms.ts';
import {
  currentAddress,
  currentState,
  goBack,
  press,
  showPage,
} from '#web/testing/render-page.tsx';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { HomePage } from './home-page.tsx';
import { queries } from './query-client.tsx';

afterEach(() => {
  cleanup();
  queries.clear();
  vi.useRealTimers();
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

const SUBSCRIPTION = {
  plan_type: 'free',
  monthly_limit: 25,
  current_usage: 8,
  cycle_ends_at: '2026-12-12T12:00:00Z',
  downgrade_at: null,
};
const MEMBER_ANSWERS = {
  'GET /api/me': { id: 'id of a@example.com', email: 'a@example.com', role: 'user' },
  'GET /api/my-urls': { urls: makeLinks(4), totals: null, nextCursor: null },
  'GET /api/analytics': {
    generatedAt: '2026-11-26T10:00:00Z',
    analytics: { clicksByDate: { '2026-11-26': 5 } },
  },
  'GET /api/subscription': SUBSCRIPTION,
};
const result = () => screen.findByRole('region', { name: 'Your short URL' });

/** Shortens OWN, as somebody who presses the button. */
async function shorten(): Promise<void> {
  await typeInto('Destination', OWN.longUrl);
  await press('Shorten URL');
  await result();
}

describe('HomePage', () => {
  it('shows a member the form, the plan, the week and the last links, and no pitch', async () => {
    signInAsMember();
    serveRoutes(MEMBER_ANSWERS);
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
    await import('./home-pitch.tsx');
    awaitFirstUse();
    showPage(<HomePage />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^Short links that keep/);
    await act(async () => undefined);
    expect(screen.queryByText('Start free')).toBeNull();
    fireEvent.scroll(window);
    expect(await screen.findByText('Start free')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Import your links' }).getAttribute('href')).toBe(
      '/auth?tab=sign-up&next=%2Flinks%2Fimport',
    );
    const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(hrefOf('Sign up for free')).toBe('/auth?tab=sign-up');
    expect([hrefOf('Compare plans'), hrefOf('View Premium')]).toEqual(['/pricing', '/pricing']);
    for (const text of ['23% of its clicks', 'Continue to shop.example'])
      expect(screen.getByText(text)).toBeTruthy();
    const command = `npm install --global ${location.origin}/cli`;
    const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await press('Copy the command: Command line');
    expect([screen.getByText(command).tagName, copy.mock.lastCall]).toEqual(['CODE', [command]]);
    copy.mockRestore();
    const example = () =>
      document.getElementById('example')?.closest('[class*="group/place"]')?.className ?? '';
    expect(example()).not.toMatch(/\bhidden\b/);
    cleanup();
    addBrowserLink(OWN);
    showPage(<HomePage />);
    expect(await screen.findByRole('list', { name: 'Links made in this browser' })).toBeTruthy();
    expect(example()).toMatch(/\bhidden\b/);
  });

  it('a visitor’s new link has the focus at Copy, and stays after a reload', async () => {
    let made = OWN;
    serveRoutes({ 'POST /api/shorten': () => made });
    showPage(<HomePage />, '/pricing', '/');
    await shorten();
    expect(document.activeElement?.textContent).toContain('Copy');
    expect(readBrowserLinks().links.map(({ code }) => code)).toEqual(['my-own']);
    // It is on the page already, and not listed once more.
    expect(screen.queryByRole('list', { name: 'Links made in this browser' })).toBeNull();
    const state = currentState();
    goBack();
    expect(currentAddress()).toBe('/pricing');
    cleanup();
    showPage(<HomePage />, { pathname: '/', state });
    expect((await result()).textContent).toContain('my-own');
    expect(document.activeElement).toBe(document.body);
    // The next link replaces it, and the list below does not hide that.
    made = { ...OWN, code: 'next', shortUrl: 'https://hop.example/next' };
    await shorten();
    await waitFor(async () => expect((await result()).textContent).toContain('next'));
    expect((await result()).closest('.hidden')).toBeNull();
  });

  it('a member’s new link counts at once, in the plan and in the list', async () => {
    // The plan loads again a second later, which the next test would count.
    vi.useFakeTimers({ shouldAdvanceTime: true });
    signInAsMember();
    const usage = { current_usage: 9, monthly_limit: 25 };
    const { claimToken: _, ...link } = OWN;
    const calls = serveRoutes({ ...MEMBER_ANSWERS, 'POST /api/shorten': { ...link, usage } });
    showPage(<HomePage />);
    await screen.findByText('8 of 25');
    await screen.findByRole('list', { name: 'Your last links' });
    const before = calls.filter(({ call }) => call.includes('/my-urls')).length;
    await shorten();
    expect(await screen.findByText('9 of 25')).toBeTruthy();
    await waitFor(() =>
      expect(calls.filter(({ call }) => call.includes('/my-urls')).length).toBe(before + 1),
    );
    // Another user of this browser does not see it after Back.
    await waitFor(() => expect(currentState()).not.toBeNull());
    const entry = { pathname: '/', state: currentState() };
    cleanup();
    signInAsMember({ email: 'b@example.com' });
    showPage(<HomePage />, entry);
    await screen.findByRole('list', { name: 'Your last links' });
    expect(screen.queryByRole('region', { name: 'Your short URL' })).toBeNull();
  });

  it('links that a member adds to the account count, too', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    addBrowserLink({ ...OWN, created_at: new Date().toISOString() });
    signInAsMember();
    const lines = [{ ok: true, code: OWN.code }];
    const calls = serveRoutes({ ...MEMBER_ANSWERS, 'POST /api/links/claim': { lines } });
    showPage(<HomePage />);
    await screen.findByText('8 of 25');
    await screen.findByRole('list', { name: 'Your last links' });
    const asked = (path: string) => calls.filter(({ call }) => call.includes(path)).length;
    const before = [asked('/my-urls'), asked('/subscription')];
    await press(/^Add/);
    await waitFor(() => expect(asked('/my-urls')).toBe((before[0] ?? 0) + 1));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    await waitFor(() => expect(asked('/subscription')).toBe((before[1] ?? 0) + 1));
  });

  it('a member opens the plans, and closes them', async () => {
    signInAsMember();
    serveRoutes(MEMBER_ANSWERS);
    showPage(<HomePage />);
    await press('Upgrade');
    await screen.findByRole('dialog', { name: 'Choose Your Plan' });
    await press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('fills in a link from the address, which a reload does not repeat', async () => {
    serveRoutes({});
    const page = (
      <Routes>
        <Route path="/" element={<HomePage />} />
      </Routes>
    );
    showPage(page, '/pricing', '/?url=https%3A%2F%2Fexample.com');
    const input = await screen.findByLabelText<HTMLInputElement>('Destination');
    await waitFor(() =>
      expect([input.value, currentAddress()]).toEqual(['https://example.com', '/']),
    );
    goBack();
    expect(currentAddress()).toBe('/pricing');
  });

  it('“New link” puts the focus in the field', async () => {
    serveRoutes({});
    showPage(<HomePage />, { pathname: '/', state: { newLink: true } });
    expect(document.activeElement).toBe(await screen.findByLabelText('Destination'));
  });

  it('a question shows its section in place, unless a new tab is asked for', async () => {
    serveRoutes({});
    showPage(<HomePage />);
    await screen.findByText('Start free');
    const section = document.getElementById('stored');
    const scroll = vi.fn();
    Object.assign(section ?? {}, { scrollIntoView: scroll });
    const link = await screen.findByRole('link', { name: 'What we store' });
    expect(link.getAttribute('href')).toBe('#stored');
    for (const key of ['ctrlKey', 'metaKey', 'shiftKey'])
      expect(fireEvent.click(link, { [key]: true })).toBe(true);
    expect(fireEvent.click(link)).toBe(false);
    expect(scroll).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(section);
  });
});

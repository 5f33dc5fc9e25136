import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '#contract/account/account.ts';
import { HOUR_MS } from '#contract/time.ts';
import { config } from '#web/shared/page/config.ts';
import { respondWith } from '#web/testing/respond-with.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { SessionsPage } from './sessions-page.tsx';

const HERE: Session = {
  id: 'here',
  browser: 'Firefox',
  system: 'Windows',
  country: 'IN',
  signedInAt: '2026-01-02T12:00:00Z',
  lastUsedAt: '2026-01-03T12:00:00Z',
  began: 'password',
  current: true,
};
const PHONE: Session = {
  ...HERE,
  id: 'a phone',
  browser: 'Mobile Safari',
  system: 'iOS',
  country: 'FR',
  current: false,
};
const UNKNOWN: Session = {
  ...HERE,
  id: 'unknown',
  browser: null,
  system: null,
  country: null,
  current: false,
};

const sent = (mock: ReturnType<typeof respondWith>, call: number) => [
  mock.mock.calls[call]?.[1]?.method,
  mock.mock.calls[call]?.[0],
];

const show = (): void => showPage(<SessionsPage />);

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
  config.auth.mode = 'embedded';
});

describe('SessionsPage', () => {
  it('[T70] shows device, country and times, and no button for the current session', async () => {
    const used = { ...PHONE, lastUsedAt: new Date(Date.now() - 3.5 * HOUR_MS).toISOString() };
    const others: Session[] = [
      { ...UNKNOWN, id: 'mail', system: 'iOS', began: 'mail' },
      { ...UNKNOWN, id: 'passkey', browser: 'Safari', began: 'passkey' },
      { ...UNKNOWN, id: 'sso', began: 'sso' },
      { ...UNKNOWN, id: 'before', began: null },
    ];
    respondWith([200, { sessions: [HERE, used, UNKNOWN, ...others] }]);
    show();
    const rows = await screen.findAllByRole('listitem');
    expect(rows[0]?.textContent).toBe(
      'Firefox on WindowsThis sessionIndia · Signed in Jan 2, 2026 with a password',
    );
    expect(within(rows[0] ?? document.body).queryByRole('button')).toBeNull();
    expect(rows[1]?.textContent).toContain(
      'Mobile Safari on iOSFrance · Signed in Jan 2, 2026 with a password · Last used 3 hours ago',
    );
    expect(rows[2]?.textContent).toContain('Unknown deviceSigned in');
    expect(rows.slice(3).map(({ textContent }) => textContent?.replace(/ · .*/, ''))).toEqual([
      'iOSSigned in Jan 2, 2026 with an email',
      'SafariSigned in Jan 2, 2026 with a passkey',
      'Unknown deviceSigned in Jan 2, 2026 with a company account',
      'Unknown deviceSigned in Jan 2, 2026',
    ]);
    expect(
      screen.getByText(
        /^If you don’t recognize a session, sign it out and change your password\. Browser/,
      ),
    ).toBeTruthy();
  });

  it('[T70] a session ends, and its row stays if that fails', async () => {
    const mock = respondWith(
      [200, { sessions: [HERE, PHONE, UNKNOWN] }],
      [200, { success: true }],
      [200, { sessions: [HERE] }],
    );
    show();
    await screen.findByText('Unknown device');
    let fail = (): void => undefined;
    mock.mockReturnValueOnce(
      new Promise((resolve) => {
        fail = () => resolve(Response.json({ error: 'Not now.', code: 'x' }, { status: 503 }));
      }),
    );
    await press('Sign out Mobile Safari on iOS');
    await screen.findByRole('button', { name: /^Sign out Mobile/, busy: true });
    expect(screen.getByRole('button', { name: /^Sign out Unknown/, busy: false })).toBeTruthy();
    fail();
    await waitFor(() => expect(takeToasts()).toMatchObject([{ note: 'Not now.', tone: 'bad' }]));
    expect(sent(mock, 1)).toEqual(['DELETE', '/api/sessions/a%20phone']);
    expect(screen.getByText('Mobile Safari on iOS')).toBeTruthy();
    await waitFor(() =>
      expect(
        screen.getByRole('button', { name: /^Sign out Mobile/ }).getAttribute('aria-busy'),
      ).toBe('false'),
    );
    screen.getByRole('button', { name: /^Sign out Mobile/ }).focus();
    await press('Sign out Mobile Safari on iOS');
    await waitFor(() => expect(screen.queryByText('Mobile Safari on iOS')).toBeNull());
    expect(takeToasts()).toMatchObject([{ text: 'Signed out Mobile Safari on iOS.' }]);
    // The button that had the focus was removed.
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    expect(screen.queryByRole('button', { name: 'Sign out all others…' })).toBeNull();
  });

  it('[T70] all other sessions end after a confirmation', async () => {
    const mock = respondWith(
      [200, { sessions: [HERE, PHONE, UNKNOWN] }],
      [200, { success: true }],
      [200, { sessions: [HERE] }],
    );
    show();
    await press('Sign out all others…');
    expect(mock).toHaveBeenCalledTimes(1);
    await press('Sign out all others');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(sent(mock, 1)).toEqual(['DELETE', '/api/sessions']);
    expect(takeToasts()).toMatchObject([{ text: 'All other sessions are signed out.' }]);
  });

  it('the question about all other sessions shows its own error only', async () => {
    const failed: [number, unknown] = [503, { error: 'Not now.' }];
    respondWith([200, { sessions: [HERE, PHONE] }], failed, failed);
    show();
    await press('Sign out Mobile Safari on iOS');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ note: 'Not now.', tone: 'bad' }]));
    await press('Sign out all others…');
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    expect(dialog.queryByText(/We couldn’t sign them out/)).toBeNull();
    await press('Sign out all others');
    expect(await dialog.findByText(/We couldn’t sign them out/)).toBeTruthy();
    await press('Cancel');
    await press('Sign out all others…');
    const again = within(await screen.findByRole('dialog', { hidden: true }));
    expect(again.queryByText(/We couldn’t sign them out/)).toBeNull();
    await pressUnanswered('Sign out all others');
  });

  it('says that the sessions could not be loaded, and keeps those that were', async () => {
    const down: [number, unknown] = [503, { error: 'x', code: 'unavailable' }];
    respondWith(down, [200, { sessions: [HERE, PHONE] }], [200, { success: true }], down);
    show();
    expect(await screen.findByText('We couldn’t load your sessions.')).toBeTruthy();
    await press('Retry');
    await press('Sign out Mobile Safari on iOS');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^We couldn’t load your/);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
  });

  it('asks for nothing where a hosted service keeps the sessions', async () => {
    config.auth.mode = 'hosted';
    const mock = respondWith();
    show();
    expect(await screen.findByText('Your sessions are not listed here')).toBeTruthy();
    expect(mock).not.toHaveBeenCalled();
    await press('Sign out everywhere…');
    expect(await screen.findByRole('dialog', { name: 'Sign out everywhere?' })).toBeTruthy();
  });
});

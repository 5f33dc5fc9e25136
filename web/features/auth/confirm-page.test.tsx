import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import { MemoryRouter, useLocation, useNavigationType } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { loadPendingSignIn } from '#web/shared/session/pending-sign-in.ts';
import { currentSession, startSession } from '#web/shared/session/session.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { paragraphs, pressUnanswered } from '#web/testing/render-page.tsx';
import { takeToasts, useAnnouncement } from '#web/ui/announcer.ts';
import { ConfirmPage } from './confirm-page.tsx';
import { fetchLinkDescription } from './describe-link.ts';

/** The responses of the sign-in service by path, and the requests that it received. */
let responses: Record<string, () => Response>;
let requests: { path: string; body: unknown }[];
let signals: AbortSignal[];

beforeEach(() => {
  requests = [];
  signals = [];
  responses = {};
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const path = new URL(input instanceof Request ? input.url : String(input)).pathname.replace(
      '/api/auth/v1',
      '',
    );
    if (init?.signal) signals.push(init.signal);
    requests.push({ path, body: JSON.parse(typeof init?.body === 'string' ? init.body : 'null') });
    const respond = responses[path];
    if (respond === undefined) throw new TypeError('Failed to fetch');
    return respond();
  });
});
afterEach(() => {
  cleanup();
  takeToasts();
  vi.unstubAllGlobals();
  localStorage.clear();
  loadPendingSignIn(null);
  // Reads the empty storage, so the next test starts as a visitor.
  startSession();
});

const description =
  (type: string, keepsPassword = true) =>
  () =>
    Response.json({ type, email: 'ann@example.com', keeps_password: keepsPassword });

it('a hosted service is not asked about a link, which keeps the password', async () => {
  const { mode } = config.auth;
  config.auth.mode = 'hosted';
  const { signal } = new AbortController();
  expect(await fetchLinkDescription({ type: 'recovery', tokenHash: 'x' }, signal)).toEqual({
    ok: true,
    details: { type: 'recovery', email: '', keepsPassword: true },
  });
  expect(requests).toEqual([]);
  signInAsMember({ email: 'bob@example.com' });
  open(SIGN_UP);
  await heading('Confirm your email address');
  expect(screen.getByText(/signs you in as the owner of the address in the email\.$/)).toBeTruthy();
  expect(screen.queryByText(/^For/)).toBeNull();
  config.auth.mode = mode;
});

const failure = (status: number, code: string) => () =>
  Response.json(
    { code, message: 'No.' },
    { status, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
  );
const session =
  (hasPassword: boolean, facts: object = {}) =>
  () =>
    Response.json({
      access_token: 'a.b.c',
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: 3600,
      user: {
        id: 'u',
        email: 'ann@example.com',
        app_metadata: { has_password: hasPassword, ...facts },
      },
    });

function CurrentPath() {
  const { pathname, search, state } = useLocation();
  const facts = { 'data-state': JSON.stringify(state), 'data-way': useNavigationType() };
  return <p {...facts}>at {pathname + search}</p>;
}
const open = (hash: string) =>
  render(
    <MemoryRouter initialEntries={[`/auth/confirm${hash}`]}>
      <ConfirmPage />
      <CurrentPath />
    </MemoryRouter>,
  );
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));
const SIGN_UP = '#type=signup&token_hash=abc&next=%2Fsettings';

describe('ConfirmPage', () => {
  it('names the account of a sign-up link, and uses the link only on the button', async () => {
    localStorage.setItem('hop-sign-up-secret', 's'.repeat(43));
    responses = { '/verify/describe': description('signup'), '/verify': session(true) };
    const { result: announced } = renderHook(useAnnouncement);
    open(SIGN_UP);
    await heading('Opening your link');
    await heading('Confirm your email address');
    expect(paragraphs()).toEqual([
      'For ann@example.com.',
      'This confirms that the address is yours and signs you in.',
      'If you did not create an account, close this page. Nothing happens until you press the button.',
    ]);
    await waitFor(() =>
      expect(announced.current).toBe('Confirm your email address. For ann@example.com.'),
    );
    const link = { type: 'signup', token_hash: 'abc', sign_up_secret: 's'.repeat(43) };
    expect(requests).toEqual([{ path: '/verify/describe', body: link }]);
    fireEvent.click(screen.getByRole('button', { name: 'Confirm and sign in' }));
    expect((await screen.findByText('at /settings')).dataset['way']).toBe('REPLACE');
    expect(requests.at(-1)).toMatchObject({ path: '/verify', body: link });
    expect(localStorage.getItem('hop-sign-up-secret')).toBeNull();
    expect(takeToasts()).toMatchObject([{ text: 'Your email address is confirmed.' }]);
  });

  it.each([
    ['ann@example.com', 0],
    ['bob@example.com', 1],
  ])('warns the member %s that the link signs in as Ann: %i', async (email, warnings) => {
    signInAsMember({ email });
    responses = { '/verify/describe': description('signup') };
    open(SIGN_UP);
    await heading('Confirm your email address');
    expect(
      screen.queryAllByText(
        `You are signed in as ${email}. Continuing signs you in as ann@example.com.`,
      ),
    ).toHaveLength(warnings);
    cleanup();
    expect(signals[0]?.aborted).toBe(true);
  });

  it('asks for a password next when the one from the sign-up is not kept', async () => {
    responses = { '/verify/describe': description('signup', false), '/verify': session(false) };
    open(SIGN_UP);
    await screen.findByText(/Then you choose a password/);
    fireEvent.click(screen.getByRole('button', { name: 'Confirm and sign in' }));
    await screen.findByText('at /auth/reset?next=%2Fsettings');
  });

  it('opens the new password page for a recovery link, and sends no sign-up secret', async () => {
    localStorage.setItem('hop-sign-up-secret', 's'.repeat(43));
    responses = { '/verify/describe': description('recovery'), '/verify': session(true) };
    open('#type=recovery&token_hash=abc');
    await heading('Choose a new password');
    expect(paragraphs().at(-1)).toBe(
      'If you did not request this, close this page. Nothing happens until you press the button.',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByText('at /auth/reset?next=%2Fdashboard');
    expect(requests.at(-1)?.body).toMatchObject({ type: 'recovery', token_hash: 'abc' });
    expect(JSON.stringify(requests)).not.toContain('sign_up_secret');
    expect(localStorage.getItem('hop-sign-up-secret')).not.toBeNull();
    expect(takeToasts()).toEqual([]);
  });

  it.each([
    ['a member', () => signInAsMember(), 1],
    ['a visitor', () => undefined, 0],
  ])('signs out %s who leaves before the code: %i', async (_, begin, signOuts) => {
    begin();
    responses = {
      '/verify/describe': description('recovery'),
      '/verify': session(true, { pending: true }),
      '/logout': () => new Response(null, { status: 204 }),
    };
    open('#type=recovery&token_hash=abc');
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await heading('Enter your code');
    cleanup();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await waitFor(() => expect(currentSession().status).toBe('visitor'));
    expect(requests.filter(({ path }) => path === '/logout')).toHaveLength(signOuts);
    expect(localStorage.length).toBe(1 - signOuts);
  });

  it('opens the next page after the code of the second factor', async () => {
    responses = {
      '/verify/describe': description('recovery', false),
      '/verify': session(true, { pending: true }),
      '/factors': () => Response.json({ factor: { id: 'f1' }, reset_at: null }),
      '/factors/f1/verify': session(true),
    };
    open('#type=recovery&token_hash=abc');
    expect(await screen.findByText(/signs you in and lets you choose a password\.$/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    const code = await screen.findByLabelText('Code from your authenticator app');
    fireEvent.change(code, { target: { value: '123456' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign In' }));
    await screen.findByText('at /auth/reset?next=%2Fdashboard');
  });

  it('says that the link of a password notice signs out every device', async () => {
    responses = { '/verify/describe': description('secure') };
    open('#type=recovery&token_hash=abc');
    await heading('Did someone else change your password?');
    expect(paragraphs()[1]).toContain(
      'This signs out every device and disables the new password at once.',
    );
    expect(paragraphs()[2]).toMatch(
      /^If you changed it yourself, close this page\. Nothing happens/,
    );
    expect(screen.getByRole('button', { name: 'Sign out everywhere and continue' })).toBeTruthy();
  });

  it('says that a link no longer works, and offers a new one', async () => {
    responses = { '/verify/describe': failure(403, 'otp_expired') };
    const { result: announced } = renderHook(useAnnouncement);
    open(SIGN_UP);
    await heading('This link no longer works');
    expect(announced.current).toBe('The link could not be opened.');
    expect(screen.getByText(/^Each link works once, expires/)).toBeTruthy();
    const newLink = screen.getByRole('link', { name: 'Send a new link' });
    expect(newLink.getAttribute('href')).toBe('/auth?tab=resend&next=%2Fsettings');
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
      '/auth?next=%2Fsettings',
    );
  });

  it('leads to the sign-in where no link can be requested', async () => {
    const before = config.auth;
    config.auth = { ...before, sso: { name: 'Acme' }, passwords: false };
    responses = { '/verify/describe': failure(422, 'email_provider_disabled') };
    open(SIGN_UP);
    await heading('This link no longer works');
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Sign in']);
    expect(screen.getByText(/has no passwords/)).toBeTruthy();
    cleanup();
    open('#type=session&token_hash=abc');
    expect(await screen.findByText('That sign-in has ended already.')).toBeTruthy();
    config.auth = before;
  });

  it('says that a link used elsewhere before the button is pressed no longer works', async () => {
    responses = {
      '/verify/describe': description('recovery'),
      '/verify': failure(403, 'otp_expired'),
    };
    open('#type=recovery&token_hash=abc');
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await heading('This link no longer works');
    expect(screen.getByRole('link', { name: 'Send a new link' }).getAttribute('href')).toContain(
      'tab=forgot',
    );
  });

  it.each([
    ['there is no response', {}],
    ['the rate limit is reached', { '/verify/describe': failure(429, 'over_request_rate_limit') }],
    ['the service is down', { '/verify/describe': failure(500, 'x') }],
    [
      'the response is malformed',
      {
        '/verify/describe': () =>
          Response.json({ type: 'magic', email: 'x', keeps_password: true }),
      },
    ],
  ])('offers Retry and does not call the link invalid when %s', async (_case, failing) => {
    responses = failing;
    open(SIGN_UP);
    const retry = await screen.findByRole('button', { name: 'Retry' });
    responses = { '/verify/describe': description('signup') };
    fireEvent.click(retry);
    await heading('Confirm your email address');
  });

  it('the page stays open and shows any other error of the service', async () => {
    responses = {
      '/verify/describe': description('signup'),
      '/verify': failure(400, 'user_banned'),
    };
    open(SIGN_UP);
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm and sign in' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('No.'));
    expect(screen.getByText('at /auth/confirm')).toBeTruthy();
    await pressUnanswered('Confirm and sign in');
  });

  it('leads a member without a link to their own pages', async () => {
    signInAsMember();
    open('');
    await heading('This link is incomplete');
    expect(screen.getByText('You are signed in as a@example.com.')).toBeTruthy();
    expect(hrefs()).toEqual(['/dashboard', '/settings']);
  });

  it.each(['', '#type=signup', '#type=magic&token_hash=abc', '#access_token=x'])(
    'calls the link "%s" incomplete',
    async (hash) => {
      open(hash);
      await heading('This link is incomplete');
      expect(requests).toEqual([]);
      expect(screen.getByText(/^Open the link in your email again/)).toBeTruthy();
      expect(hrefs()).toEqual(['/auth?tab=forgot&next=%2Fdashboard', '/auth?next=%2Fdashboard']);
    },
  );
});

describe('the link in the notice of a sign-in', () => {
  const LINK = `#type=session&token_hash=${'t'.repeat(43)}`;
  const press = async (name: string) =>
    fireEvent.click(await screen.findByRole('button', { name }));

  it('signs everyone out only when pressed, and leads to a new password', async () => {
    responses = {
      '/verify/describe': description('session', false),
      '/verify/end-session': () => Response.json({ keeps_password: false }),
    };
    const { result: announced } = renderHook(useAnnouncement);
    open(LINK);
    await screen.findByText(/Somebody signed in with your password/);
    expect(requests.map(({ path }) => path)).toEqual(['/verify/describe']);
    expect(paragraphs().slice(1)).toEqual([
      'Somebody signed in with your password. This removes the password and signs out every device. It also removes passkeys, company accounts, API keys and webhooks that were added since. Then you choose another password.',
      'If you signed in yourself, close this page. Nothing happens until you press the button.',
    ]);
    await waitFor(() => expect(announced.current).toBe('Was that not you? For ann@example.com.'));
    await press('Sign out everywhere');
    const next = await screen.findByRole('link', { name: 'Choose a new password' });
    await heading('You are signed out everywhere');
    expect(announced.current).toBe('You are signed out everywhere');
    expect(screen.getByText(/^Choose a new password by email/)).toBeTruthy();
    expect(requests.slice(1)).toEqual([
      { path: '/verify/end-session', body: { token_hash: 't'.repeat(43) } },
    ]);
    fireEvent.click(next);
    expect(screen.getByText('at /auth?tab=forgot').dataset['state']).toBe(
      '{"email":"ann@example.com"}',
    );
  });

  it.each([
    ['ended with the others', false, failure(400, 'session_expired'), 'visitor'],
    ['stays', true, session(true), 'member'],
  ])('the session of this browser %s', async (_, keepsPassword, refreshed, status) => {
    signInAsMember();
    responses = {
      '/verify/describe': description('session', keepsPassword),
      '/verify/end-session': () => Response.json({ keeps_password: keepsPassword }),
      '/token': refreshed,
      '/logout': () => new Response(null, { status: 204 }),
    };
    open(LINK);
    await press(keepsPassword ? 'End that sign-in' : 'Sign out everywhere');
    await screen.findByRole('link', { name: keepsPassword ? 'Sign in' : 'Choose a new password' });
    expect(currentSession().status).toBe(status);
  });

  it('ends one sign-in that began without the password', async () => {
    responses = {
      '/verify/describe': description('session', true),
      '/verify/end-session': () => Response.json({ keeps_password: true }),
    };
    open(LINK);
    const text = await screen.findByText(/^This ends the sign-in that we emailed you/);
    expect(text.textContent).toMatch(
      /^This ends .*, and sessions that began later\. It also .* Earlier sessions stay\.$/,
    );
    await press('End that sign-in');
    expect(await screen.findByRole('heading', { name: 'That sign-in has ended' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth');
    expect(screen.getByText(/^Somebody signed in with your mailbox/)).toBeTruthy();
  });

  it('says that the sign-in has ended already, and when the service is away', async () => {
    responses = { '/verify/describe': description('session', false) };
    open(LINK);
    await press('Sign out everywhere');
    expect(await screen.findByText(/couldn’t reach the sign-in service/)).toBeTruthy();
    await pressUnanswered('Sign out everywhere');
    cleanup();
    open(LINK);
    responses['/verify/end-session'] = () =>
      Response.json({ code: 403, error_code: 'otp_expired', msg: 'No.' }, { status: 403 });
    await press('Sign out everywhere');
    expect(await screen.findByText(/That sign-in has ended already/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Choose a new password' })).toBeTruthy();
  });
});

describe('the links of a reset of the second factor', () => {
  it.each([
    [
      'factor_stop',
      'Stop the reset of your code?',
      'Stop it and sign out everyone',
      '/factors/reset/stop',
      'Choose a new password',
      '/auth?tab=forgot',
      /^The reset is stopped/,
      /^If you asked for it yourself, close this page\. Nothing happens until you press/,
    ],
    [
      'factor_off',
      'Turn off your authenticator app?',
      'Turn off the code',
      '/factors/reset/finish',
      'Sign in',
      '/auth',
      /^Signing in no longer asks/,
      /^If you did not ask for this, close this page and use the link in our earlier email\./,
    ],
  ])(
    'the link %s acts only when pressed, and leads on',
    async (type, title, button, path, next, href, done, close) => {
      signInAsMember();
      responses = {
        '/verify/describe': description(type),
        [path]: failure(400, 'x'),
        '/logout': () => new Response(null, { status: 204 }),
      };
      const { result } = renderHook(useAnnouncement);
      open('#type=recovery&token_hash=abc');
      await heading(title);
      expect(paragraphs()[0]).toBe('For ann@example.com.');
      expect(paragraphs().at(-1)).toMatch(close);
      await waitFor(() => expect(result.current).toBe(`${title} For ann@example.com.`));
      expect(requests.map((request) => request.path)).toEqual(['/verify/describe']);
      fireEvent.click(screen.getByRole('button', { name: button }));
      expect(await screen.findByRole('alert')).toBeTruthy();
      expect(currentSession().status).toBe('member');
      responses[path] = () => Response.json({});
      fireEvent.click(screen.getByRole('button', { name: button }));
      expect((await screen.findByRole('link', { name: next })).getAttribute('href')).toBe(href);
      expect(screen.getByText(done)).toBeTruthy();
      expect(result.current).toMatch(done);
      expect(currentSession().status).toBe('visitor');
      expect(requests[1]).toEqual({ path, body: { token: 'abc' } });
      cleanup();
      open('#type=recovery&token_hash=abc');
      await screen.findByRole('button', { name: button });
      await pressUnanswered(button);
    },
  );
});

import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FactorStatus } from '#contract/sign-in/second-factor.ts';
import { SITE_NAME } from '#contract/site.ts';
import { config } from '#web/shared/page/config.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { typeInto } from '#web/testing/describe-forms.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { SecondFactorPanel } from './second-factor-panel.tsx';

const PATH = '/api/auth/v1/factors';
const off: FactorStatus = { factor: null, reset_at: null };
const on = (recovery_codes = 10): FactorStatus => ({
  factor: { id: 'f1', since: '2026-11-20T12:00:00.000Z', recovery_codes },
  reset_at: null,
});
const codes = Array.from({ length: 10 }, (_, i) => `AAAA-BBBB-CCCC-DDD${i}`);

/** The session after a code. */
const verified = {
  access_token: 'a.b.c',
  refresh_token: 'r',
  expires_in: 3600,
  user: { id: 'id of a@example.com', aud: 'authenticated', email: 'a@example.com' },
};

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const show = () => showPage(<SecondFactorPanel email="a@example.com" />);

it('sets up an app; a wrong code turns nothing on', async () => {
  let status = off;
  const calls = serveRoutes({
    [`GET ${PATH}`]: () => status,
    [`POST ${PATH}`]: { id: 'f1', totp: { secret: 'KEYKEY', uri: 'otpauth://totp/a' } },
    [`POST ${PATH}/f1/verify`]: () =>
      Response.json(
        { code: 'mfa_verification_failed', message: 'That code is wrong.' },
        {
          status: 422,
          headers: { 'X-Supabase-Api-Version': '2024-01-01' },
        },
      ),
  });
  show();
  await press('Set up an authenticator app…');
  await typeInto('Current password', 'secret');
  await press('Continue');
  const symbol = await screen.findByRole('img', { name: /^QR code/ });
  expect(symbol.getAttribute('data-qr')).toBe('otpauth://totp/a');
  expect(screen.getByText('Or enter this key in the app:')).toBeTruthy();
  expect(screen.getByText('KEYKEY')).toBeTruthy();
  await typeInto('Code that the app shows', '12');
  await press('Turn on');
  expect(await screen.findByText('Enter all 6 digits of the code.')).toBeTruthy();
  await typeInto('Code that the app shows', '123456');
  await press('Turn on');
  expect(await screen.findByText('That code is wrong.')).toBeTruthy();
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull();
  expect(writesOf(calls).map(({ body }) => body)).toMatchObject([
    { factor_type: 'totp', current_password: 'secret' },
    { code: '123456' },
  ]);
  await typeInto('Code that the app shows', '654321');
  await waitFor(() => expect(screen.queryByText('That code is wrong.')).toBeNull());
  await pressUnanswered('Turn on');
});

it('asks for recovery codes again without entering the code of the app twice', async () => {
  let tries = 0;
  const calls = serveRoutes({
    [`GET ${PATH}`]: () => (tries < 2 ? off : on()),
    [`POST ${PATH}`]: { id: 'f1', totp: { secret: 'KEYKEY', uri: 'otpauth://totp/a' } },
    [`POST ${PATH}/f1/verify`]: verified,
    [`POST ${PATH}/recovery-codes`]: () =>
      ++tries === 1
        ? Response.json({ error_code: 'unexpected_failure', msg: 'Try again.' }, { status: 500 })
        : { recovery_codes: codes },
  });
  show();
  await press('Set up an authenticator app…');
  await typeInto('Current password', 'secret');
  await press('Continue');
  await typeInto('Code that the app shows', '123456');
  await press('Turn on');
  expect(await screen.findByText('Try again.')).toBeTruthy();
  await press('Turn on');
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(list.textContent).toBe(codes.join(''));
  const writes = writesOf(calls);
  expect(writes.map(({ call }) => call.replace(`POST ${PATH}`, ''))).toEqual([
    '',
    '/f1/verify',
    '/recovery-codes',
    '/recovery-codes',
  ]);
  expect(writes.at(-1)?.body).toEqual({ current_password: 'secret' });
  await press('I saved them');
  expect(await screen.findByText(/since Nov 20, 2026\. 10 recovery codes left/)).toBeTruthy();
});

it('shows new recovery codes once', async () => {
  let status = on(2);
  serveRoutes({
    [`GET ${PATH}`]: () => status,
    [`POST ${PATH}/recovery-codes`]: () => {
      status = on();
      return { recovery_codes: codes };
    },
  });
  show();
  expect(await screen.findByText(/2 recovery codes left/)).toBeTruthy();
  expect(screen.getByText(/^Create new recovery codes now/)).toBeTruthy();
  await press('Create recovery codes…');
  expect(screen.getByText('The codes that you have now stop working.')).toBeTruthy();
  await typeInto('Current password', 'secret');
  await press('Create codes');
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(list.textContent).toBe(codes.join(''));
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const copy = screen.getByRole('button', { name: /^Copy codes/ });
  await waitFor(() => expect(document.activeElement).toBe(copy));
  fireEvent.click(copy);
  expect(copied).toHaveBeenCalledWith(codes.join('\n'));
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) files.push(blob);
    return 'blob:codes';
  });
  const names: string[] = [];
  const { prototype } = HTMLAnchorElement;
  vi.spyOn(prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  await press('Download codes');
  expect(await files[0]?.text()).toBe(`Recovery codes for ${SITE_NAME}\n\n${codes.join('\n')}\n`);
  expect(names).toEqual(['recovery-codes.txt']);
  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  await press('Print codes');
  expect([print.mock.calls.length, list.closest('[data-print-only]') !== null]).toEqual([1, true]);
  await press('I saved them');
  expect(await screen.findByText(/10 recovery codes left/)).toBeTruthy();
  expect(screen.queryByText(codes[0] ?? '')).toBeNull();
});

it('turns the app off after a recent code', async () => {
  let status = on(3);
  let isFresh = false;
  const calls = serveRoutes({
    [`GET ${PATH}`]: () => status,
    [`POST ${PATH}/f1/verify`]: () => {
      isFresh = true;
      return verified;
    },
    [`DELETE ${PATH}/f1`]: () => {
      if (!isFresh)
        return Response.json(
          { error_code: 'second_factor_required', msg: 'Enter a code.' },
          { status: 403 },
        );
      status = off;
      return {};
    },
  });
  show();
  expect(await screen.findByText(/since Nov 20, 2026\. 3 recovery codes left\.$/)).toBeTruthy();
  expect(screen.queryByText(/^Create new recovery codes now|^Somebody asked/)).toBeNull();
  await press('Turn off…');
  expect(screen.getByText(/^Signing in then needs your password alone/)).toBeTruthy();
  await typeInto('Current password', 'secret');
  await press('Turn off');
  await typeInto('Code from your authenticator app', '123456');
  await press('Confirm');
  expect(await screen.findByRole('button', { name: /^Set up/ })).toBeTruthy();
  await waitFor(() => expect(takeToasts()[0]?.text).toBe('Your authenticator app is turned off.'));
  expect(writesOf(calls).map(({ call }) => call.split(' ')[0])).toEqual([
    'DELETE',
    'POST',
    'DELETE',
  ]);
  expect(calls.findLast(({ call }) => call.startsWith('DELETE'))?.body).toEqual({
    current_password: 'secret',
  });
});

it('keeps the app on when the code is not entered', async () => {
  const calls = serveRoutes({
    [`GET ${PATH}`]: on(),
    [`DELETE ${PATH}/f1`]: () =>
      Response.json(
        { error_code: 'second_factor_required', msg: 'Enter a code first.' },
        { status: 403 },
      ),
  });
  show();
  await press('Turn off…');
  await typeInto('Current password', 'secret');
  await press('Turn off');
  await screen.findByLabelText('Code from your authenticator app');
  fireEvent.click(
    within(screen.getByRole('dialog', { name: 'Confirm that it is you' })).getByRole('button', {
      name: 'Close',
    }),
  );
  expect(await screen.findByText('Enter a code first.')).toBeTruthy();
  expect(screen.queryByLabelText('Code from your authenticator app')).toBeNull();
  expect(writesOf(calls)).toHaveLength(1);
  await press('Turn off');
  expect(await screen.findByLabelText('Code from your authenticator app')).toBeTruthy();
});

it.each([
  ['an app from before', on(0), ['Create recovery codes…', 'Turn off…']],
  ['no app', off, []],
])('a site without passwords shows what turns off %s', async (_, status, expected) => {
  const before = config.auth;
  config.auth = { ...before, passwords: false };
  const calls = serveRoutes({ [`GET ${PATH}`]: status });
  show();
  await waitFor(() => expect(calls).toHaveLength(1));
  await act(async () => undefined);
  expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(expected);
  expect(screen.queryByText(/your password|24 hours/)).toBeNull();
  config.auth = before;
});

it('says that a reset waits, and offers to load again after a failure', async () => {
  serveRoutes({ [`GET ${PATH}`]: failure(503, 'Down.') });
  show();
  expect(await screen.findByText('We couldn’t load whether your account has one.')).toBeTruthy();
  serveRoutes({ [`GET ${PATH}`]: { ...on(), reset_at: '2026-12-01T10:00:00.000Z' } });
  await press('Retry');
  expect(
    await screen.findByText(/^Somebody asked to turn it off\. After Dec 1, 2026/),
  ).toBeTruthy();
});

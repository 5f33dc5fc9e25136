import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Passkey } from '#contract/sign-in/passkeys.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { Button } from '#web/ui/button.tsx';
import { api } from '#web/shared/api/api.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { useCodeCheck } from './use-code-check.tsx';

const PASSKEYS = '/api/auth/v1/passkeys';
const laptop: Passkey = {
  id: 'p1',
  friendly_name: 'Laptop',
  kind: 'device',
  created_at: '2026-11-20T12:00:00.000Z',
};
class Credential {
  static parseRequestOptionsFromJSON = (options: object) => options;
  toJSON = () => ({ id: 'c' });
}

/** A page with a request that needs a recent second factor. */
function Page() {
  const check = useCodeCheck();
  const create = useAsyncAction(() => check.run(() => api('/api/keys', { method: 'POST' })));
  return (
    <>
      <Button onClick={() => create.run(undefined)}>Create key</Button>
      {create.data !== null && <p>Created.</p>}
      {check.dialog}
    </>
  );
}

/** `passkeys` are those of the account. The key is created with a token from after the proof. */
function serve(passkeys: Passkey[]) {
  let [isProven, isFresh] = [false, false];
  const stale = { error: 'Enter a code.', code: 'second_factor_required', requestId: 'r' };
  return serveRoutes({
    [`GET ${PASSKEYS}`]: passkeys,
    [`POST ${PASSKEYS}/proof/options`]: { challenge_id: 't', options: {} },
    [`POST ${PASSKEYS}/proof/verify`]: () => {
      isProven = true;
      return {};
    },
    'POST /api/auth/v1/token': () => {
      isFresh = isProven;
      return {
        access_token: 'a.b.c',
        refresh_token: 'r',
        expires_in: 3600,
        user: { id: 'id of a@example.com', email: 'a@example.com' },
      };
    },
    'POST /api/keys': () => (isFresh ? { id: 'k' } : Response.json(stale, { status: 403 })),
  });
}

/** The browser's dialog for a passkey, which ends with `outcome`. */
const browserAnswers = (outcome: () => Promise<unknown>) =>
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get: outcome } });

beforeEach(() => {
  signInAsMember();
  vi.stubGlobal('PublicKeyCredential', Credential);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('useCodeCheck', () => {
  it('accepts a passkey in place of a code, and sends the request again', async () => {
    const calls = serve([laptop]);
    browserAnswers(async () => new Credential());
    showPage(<Page />);
    await press('Create key');
    await press('Use a passkey');
    expect(await screen.findByText('Created.')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    const sent = writesOf(calls).filter(({ call }) => !call.includes('/token'));
    expect(sent).toMatchObject([
      { call: 'POST /api/keys' },
      { call: `POST ${PASSKEYS}/proof/options` },
      {
        call: `POST ${PASSKEYS}/proof/verify`,
        body: { challenge_id: 't', credential: { id: 'c' } },
      },
      { call: 'POST /api/keys' },
    ]);
  });

  it('still takes a code after the browser’s dialog was closed', async () => {
    const calls = serve([laptop]);
    browserAnswers(() => Promise.reject(new DOMException('Closed.', 'NotAllowedError')));
    showPage(<Page />);
    await press('Create key');
    await press('Use a passkey');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'No passkey was used. Try again, or choose another way.',
    );
    expect(screen.getByLabelText('Code from your authenticator app')).toBeTruthy();
    expect(screen.queryByText('Created.')).toBeNull();
    // Closing the dialog sends nothing.
    await press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const created = writesOf(calls).filter(({ call }) => call === 'POST /api/keys');
    expect(created).toHaveLength(1);
  });

  it.each([
    ['an account without any', [], Credential, [`GET ${PASSKEYS}`]],
    ['a browser that cannot use any', [laptop], Object, []],
  ])('offers no passkey to %s', async (_, passkeys, credential, expected) => {
    vi.stubGlobal('PublicKeyCredential', credential);
    const calls = serve(passkeys);
    showPage(<Page />);
    await press('Create key');
    await screen.findByLabelText('Code from your authenticator app');
    await act(async () => undefined);
    expect(calls.map(({ call }) => call).slice(1)).toEqual(expected);
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  });
});

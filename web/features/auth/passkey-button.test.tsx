import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { press, showPage } from '#web/testing/render-page.tsx';
import { serveRoutes } from '#web/testing/serve-routes.ts';
import { PasskeyButton } from './passkey-button.tsx';

const OPTIONS = 'POST /api/auth/v1/passkeys/authentication/options';
const VERIFY = 'POST /api/auth/v1/passkeys/authentication/verify';

class Credential {
  static isConditionalMediationAvailable = async () => true;
  static parseRequestOptionsFromJSON = (options: object) => options;
  toJSON = () => ({ id: 'c' });
}

/** The browser's dialogs and suggestions. */
const showCredentials = (get: (options: CredentialRequestOptions) => Promise<unknown>) =>
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { create: get, get },
  });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('PasskeyButton', () => {
  it.each([
    ['webauthn_challenge_expired', 2],
    ['webauthn_credential_not_found', 1],
  ])('after %s the number of suggestions is %i', async (code, suggestions) => {
    vi.stubGlobal('PublicKeyCredential', Credential);
    const choose = vi
      .fn<() => Promise<unknown>>(() => new Promise(() => undefined))
      .mockResolvedValueOnce(new Credential());
    showCredentials(choose);
    const calls = serveRoutes({
      [OPTIONS]: { challenge_id: 't', options: {} },
      [VERIFY]: () =>
        Response.json(
          { code, message: 'This took too long.' },
          { status: 403, headers: { 'X-Supabase-Api-Version': '2024-01-01' } },
        ),
    });
    showPage(<PasskeyButton />);
    expect(await screen.findByText('This took too long.')).toBeTruthy();
    await waitFor(() => expect(choose).toHaveBeenCalledTimes(suggestions));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(calls.filter(({ call }) => call === OPTIONS)).toHaveLength(suggestions);
    await press('Sign in with a passkey');
    expect(screen.queryByText('This took too long.')).toBeNull();
  });

  it('ends the suggestions while the browser’s dialog is open', async () => {
    vi.stubGlobal('PublicKeyCredential', Credential);
    const asked: CredentialRequestOptions[] = [];
    let close = (): void => undefined;
    showCredentials((options) => {
      asked.push(options);
      return new Promise((_, reject) => {
        close = () => reject(new DOMException('Closed.', 'NotAllowedError'));
      });
    });
    serveRoutes({ [OPTIONS]: { challenge_id: 't', options: {} } });
    showPage(<PasskeyButton />);
    await waitFor(() => expect(asked).toHaveLength(1));
    await press('Sign in with a passkey');
    await waitFor(() => expect(asked).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked.map(({ mediation, signal }) => [mediation, signal?.aborted])).toEqual([
      ['conditional', true],
      [undefined, false],
    ]);
    close();
    expect(await screen.findByText(/^No passkey was used/)).toBeTruthy();
  });
});

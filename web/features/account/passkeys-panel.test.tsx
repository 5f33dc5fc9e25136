import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSKEYS_MAX, type Passkey } from '#contract/sign-in/passkeys.ts';
import { HOUR_MS } from '#contract/time.ts';
import { failure, serveRoutes, writesOf } from '#web/testing/serve-routes.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { takeToasts } from '#web/ui/announcer.ts';
import { PasskeysPanel } from './passkeys-panel.tsx';

const PATH = '/api/auth/v1/passkeys';
const laptop: Passkey = {
  id: 'p1',
  friendly_name: 'Laptop',
  kind: 'device',
  created_at: '2026-11-20T12:00:00.000Z',
};
const key: Passkey = {
  id: 'p2',
  friendly_name: 'Blue key',
  kind: 'security_key',
  created_at: '2026-11-21T12:00:00.000Z',
};
class Credential {
  static parseRequestOptionsFromJSON = (options: object) => options;
  static parseCreationOptionsFromJSON = (options: object) => options;
  toJSON = () => ({ id: 'c' });
}

beforeEach(() => {
  signInAsMember();
  vi.stubGlobal('PublicKeyCredential', Credential);
});
afterEach(() => {
  cleanup();
  takeToasts();
  localStorage.clear();
  vi.unstubAllGlobals();
});
const show = () => showPage(<PasskeysPanel email="a@example.com" />);

/** The browser's dialog, which ends with `outcome`. */
const browserAnswers = (method: 'create' | 'get', outcome: () => Promise<unknown>) =>
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { [method]: outcome },
  });

describe('PasskeysPanel', () => {
  it('says of each passkey what it is, when it was added and when it was used', async () => {
    const used = { ...key, last_used_at: new Date(Date.now() - 3.5 * HOUR_MS).toISOString() };
    const phone = { ...laptop, id: 'p3', friendly_name: 'Pixel', kind: 'phone' };
    const { kind: _, ...unknown } = { ...laptop, id: 'p4', friendly_name: 'Old' };
    serveRoutes({ [`GET ${PATH}`]: [laptop, used, phone, unknown] });
    show();
    const [first, second, third, last] = await screen.findAllByRole('listitem');
    expect(
      screen.getByText('Sign in with your fingerprint, face, screen lock or a security key.'),
    ).toBeTruthy();
    expect(first?.textContent).toMatch(
      /^LaptopOn a device or in its password manager · Added Nov 20.*Not used yet/,
    );
    expect(second?.textContent).toMatch(
      /Blue key.*Security key · Added Nov 21.*Last used 3 hours ago/,
    );
    expect(third?.textContent).toMatch(/^PixelOn a phone or tablet · Added/);
    expect(last?.textContent).toMatch(/^OldAdded Nov 20/);
  });

  it('renames and removes a passkey', async () => {
    let stored = [laptop];
    const calls = serveRoutes({
      [`GET ${PATH}`]: () => stored,
      [`PATCH ${PATH}/p1`]: () => {
        stored = [{ ...laptop, friendly_name: 'Work' }];
        return laptop;
      },
      [`DELETE ${PATH}/p1`]: () => {
        stored = [];
        return new Response(null, { status: 204 });
      },
    });
    show();
    await press('Rename Laptop');
    const field = await screen.findByLabelText<HTMLInputElement>('Name');
    expect(screen.getByRole('dialog', { name: 'Rename this passkey' })).toBeTruthy();
    expect([field.value, field.maxLength]).toEqual(['Laptop', 60]);
    fireEvent.change(field, { target: { value: 'Work' } });
    await press('Rename passkey');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Passkey renamed.' }]));
    await press('Remove Work');
    expect(await screen.findByRole('dialog', { name: 'Remove this passkey?' })).toBeTruthy();
    expect(screen.getByText(/^“Work” no longer signs in/)).toBeTruthy();
    await press('Remove passkey');
    await waitFor(() => expect(takeToasts()).toMatchObject([{ text: 'Passkey removed.' }]));
    await waitFor(() => expect(screen.queryByText('Work')).toBeNull());
    expect(writesOf(calls)).toMatchObject([
      { call: `PATCH ${PATH}/p1`, body: { friendly_name: 'Work' } },
      { call: `DELETE ${PATH}/p1` },
    ]);
  });

  it('adds a passkey with the current password', async () => {
    const stored: Passkey[] = [];
    const calls = serveRoutes({
      [`GET ${PATH}`]: () => stored,
      [`POST ${PATH}/registration/options`]: { challenge_id: 't', options: {} },
      [`POST ${PATH}/registration/verify`]: () => {
        stored.push(laptop);
        return laptop;
      },
    });
    browserAnswers('create', async () => new Credential());
    show();
    await press('Add a passkey…');
    await press('Create passkey');
    expect((await screen.findByRole('alert')).textContent).toBe('Enter your current password.');
    expect(
      screen.getByText(/^Your browser asks where to keep the passkey\. We’ll email you/),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Use a passkey instead' })).toBeNull();
    fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'secret' } });
    await press('Create passkey');
    const added = 'Passkey added. You can now sign in with it.';
    await waitFor(() => expect(takeToasts()[0]?.text).toBe(added));
    expect(writesOf(calls).map(({ body }) => body)).toEqual([
      { current_password: 'secret' },
      { challenge_id: 't', credential: { id: 'c' } },
    ]);
    expect(await screen.findByRole('heading', { name: 'Laptop' })).toBeTruthy();
  });

  it('asks for a code when the last one is too old, and then adds the passkey', async () => {
    let isFresh = false;
    const user = { id: 'id of a@example.com', aud: 'authenticated', email: 'a@example.com' };
    const calls = serveRoutes({
      [`GET ${PATH}`]: [],
      'GET /api/auth/v1/factors': { factor: { id: 'f1' }, reset_at: null },
      'POST /api/auth/v1/factors/f1/verify': () => {
        isFresh = true;
        return { access_token: 'a.b.c', refresh_token: 'r', expires_in: 3600, user };
      },
      [`POST ${PATH}/registration/options`]: () =>
        isFresh
          ? { challenge_id: 't', options: {} }
          : Response.json(
              { error_code: 'second_factor_required', msg: 'Enter a code.' },
              { status: 403 },
            ),
      [`POST ${PATH}/registration/verify`]: laptop,
    });
    browserAnswers('create', async () => new Credential());
    show();
    await press('Add a passkey…');
    fireEvent.change(await screen.findByLabelText('Current password'), {
      target: { value: 'secret' },
    });
    await press('Create passkey');
    fireEvent.change(await screen.findByLabelText('Code from your authenticator app'), {
      target: { value: '123456' },
    });
    await press('Confirm');
    await waitFor(() => expect(takeToasts()[0]?.text).toMatch(/^Passkey added/));
    expect(writesOf(calls).map(({ call }) => call.replace(/^POST .*v1/, ''))).toEqual([
      '/passkeys/registration/options',
      '/factors/f1/verify',
      '/passkeys/registration/options',
      '/passkeys/registration/verify',
    ]);
  });

  it('shows at its field why a name or a password is rejected', async () => {
    const wrong = { msg: 'Wrong password.', error_code: 'current_password_invalid' };
    const begin = `POST ${PATH}/registration/options`;
    serveRoutes({
      [`GET ${PATH}`]: [laptop],
      [`PATCH ${PATH}/p1`]: failure(400, '', { msg: 'Not this name.' }),
      [begin]: failure(422, '', wrong),
    });
    show();
    await press('Rename Laptop');
    await press('Rename passkey');
    await screen.findByText('Not this name.');
    expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
    await pressUnanswered('Rename passkey');
    await press('Cancel');
    await press('Add a passkey…');
    const field = await screen.findByLabelText('Current password');
    fireEvent.change(field, { target: { value: 'guess' } });
    await press('Create passkey');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getAllByText('Wrong password.')).toHaveLength(1);
    await pressUnanswered('Create passkey');
  });

  it('uses another passkey in place of the current password, whatever was typed', async () => {
    const calls = serveRoutes({
      [`GET ${PATH}`]: [laptop],
      [`POST ${PATH}/proof/options`]: { challenge_id: 't', options: {} },
      [`POST ${PATH}/proof/verify`]: {},
      [`POST ${PATH}/registration/options`]: { challenge_id: 't', options: {} },
    });
    browserAnswers('get', async () => new Credential());
    show();
    await press('Add a passkey…');
    fireEvent.change(await screen.findByLabelText('Current password'), {
      target: { value: 'a guess' },
    });
    await press('Use a passkey instead');
    expect(await screen.findByText(/You have just used a passkey/)).toBeTruthy();
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await press('Create passkey');
    const begin = `POST ${PATH}/registration/options`;
    await waitFor(() => expect(calls.find(({ call }) => call === begin)?.body).toEqual({}));
  });

  it('says what to do when the person closes the browser’s dialog', async () => {
    serveRoutes({
      [`GET ${PATH}`]: [laptop],
      [`POST ${PATH}/proof/options`]: { challenge_id: 't', options: {} },
    });
    browserAnswers('get', async () => {
      throw new DOMException('The operation either timed out.', 'NotAllowedError');
    });
    show();
    await press('Add a passkey…');
    await press('Use a passkey instead');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'No passkey was used. Try again, or choose another way.',
    );
  });

  it('offers no button where none can be added', async () => {
    const many = Array.from({ length: PASSKEYS_MAX }, (_, i) => ({ ...laptop, id: `p${i}` }));
    serveRoutes({ [`GET ${PATH}`]: many });
    show();
    expect(await screen.findByText(/You have reached the limit of 10 passkeys/)).toBeTruthy();
    cleanup();
    vi.stubGlobal('PublicKeyCredential', Object);
    show();
    expect(await screen.findByText(/This browser cannot create passkeys/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a passkey…' })).toBeNull();
  });

  it('says if the passkeys cannot be loaded', async () => {
    serveRoutes({ [`GET ${PATH}`]: failure(500, 'Broken.') });
    show();
    expect(await screen.findByText('We couldn’t load your passkeys.')).toBeTruthy();
  });
});

import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiKey } from '#contract/api/api-keys.ts';
import { API_KEYS_MAX } from '#contract/limits.ts';
import { respondWith } from '#web/testing/respond-with.ts';
import { useNewApiKey } from '#web/shared/secrets/new-api-key.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { takeToasts } from '#web/ui/announcer.ts';
import { ApiKeysPage } from './api-keys-page.tsx';

const KEY: ApiKey = {
  id: 'id-1',
  name: 'Zapier',
  prefix: 'hop_live_Ab3x',
  app: null,
  scopes: ['links:read', 'links:create'],
  codePrefix: 'z-',
  createdAt: '2026-01-02T12:00:00Z',
  expiresAt: '2026-02-01T12:00:00Z',
  lastUsedAt: null,
  previousSecretUntil: null,
};
const SECRET = { ...KEY, key: 'hop_live_the-secret' };

const bodyOf = (mock: ReturnType<typeof respondWith>, call: number): unknown => {
  const body = mock.mock.calls[call]?.[1]?.body;
  return typeof body === 'string' ? JSON.parse(body) : body;
};

/** The key that the samples of the API documentation contain. */
const Sample = () => <p id="sample" title={useNewApiKey()?.key} />;
const sampleKey = () => document.querySelector('#sample')?.getAttribute('title');

const show = (): void =>
  showPage(
    <>
      <ApiKeysPage />
      <Sample />
    </>,
  );

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('ApiKeysPage', () => {
  it('creates a key with the chosen scopes and shows its secret until closed', async () => {
    const mock = respondWith([200, { keys: [] }], [201, SECRET], [200, { keys: [KEY] }]);
    show();
    await press('Create key');
    const dialog = await screen.findByRole('dialog', { hidden: true });
    fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Zapier' } });
    fireEvent.click(within(dialog).getByLabelText('Write links'));
    fireEvent.click(within(dialog).getByLabelText('Create links only'));
    fireEvent.change(within(dialog).getByLabelText('Code prefix (optional)'), {
      target: { value: 'z_9-Q !' },
    });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Create key', hidden: true }));
    expect(await screen.findByText(SECRET.key)).toBeTruthy();
    expect(bodyOf(mock, 1)).toEqual({
      name: 'Zapier',
      scopes: ['links:read', 'links:create'],
      expiresAt: null,
      codePrefix: 'z_9-Q',
    });
    expect(sampleKey()).toBe(SECRET.key);
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain(SECRET.key);
    const example = `curl ${location.origin}/api/v1/me -H "Authorization: Bearer ${SECRET.key}"`;
    expect(screen.getByText(example)).toBeTruthy();
    await press('Done');
    await waitFor(() => expect(screen.queryByText(SECRET.key)).toBeNull());
    const row = (await screen.findByText('Zapier')).closest('li');
    expect(row?.textContent).toBe(
      'Zapierhop_live_Ab3x…ExpiredRead linksCreate links onlyOnly z-…Created Jan 2, 2026 · Never used',
    );
  });

  it('asks for a name and a scope before it sends anything', async () => {
    const mock = respondWith([200, { keys: [] }]);
    show();
    await press('Create key');
    const dialog = await screen.findByRole('dialog', { hidden: true });
    for (const name of ['Read links', 'Write links'])
      fireEvent.click(within(dialog).getByLabelText(name));
    fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: '  ' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Create key', hidden: true }));
    expect(await screen.findByText('Enter a name for the key.')).toBeTruthy();
    expect(screen.getByText('Choose at least one.')).toBeTruthy();
    expect(mock).toHaveBeenCalledTimes(1);
  });

  it('rotates a key with the chosen overlap, and revokes one after a confirmation', async () => {
    const mock = respondWith(
      [200, { keys: [KEY] }],
      [200, SECRET],
      [200, { keys: [KEY] }],
      [200, { success: true }],
      [200, { keys: [] }],
    );
    show();
    await press('Actions for Zapier');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rotate' }));
    fireEvent.change(await screen.findByLabelText('Present secret'), { target: { value: '1' } });
    await press('Rotate key');
    expect(await screen.findByText(SECRET.key)).toBeTruthy();
    expect(bodyOf(mock, 1)).toEqual({ overlapHours: 1 });
    await press('Done');
    await press('Actions for Zapier');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Revoke' }));
    expect((await screen.findByRole('dialog', { hidden: true })).textContent).toContain(
      'Everything that uses “Zapier” (hop_live_Ab3x…) stops working at once.',
    );
    await press('Revoke key');
    expect(await screen.findByText('No API keys yet')).toBeTruthy();
    await waitFor(() => expect(mock.mock.calls[3]?.[1]?.method).toBe('DELETE'));
  });

  it('lists a connected app with its host, and disconnects it', async () => {
    const app = { ...KEY, name: 'Claude', app: 'claude.ai', codePrefix: null };
    const own = {
      ...KEY,
      app: 'localhost',
      expiresAt: '2099-02-01T12:00:00Z',
      lastUsedAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
      previousSecretUntil: '2099-01-05T12:00:00Z',
    };
    respondWith([200, { keys: [app, own] }], [200, { success: true }], [200, { keys: [] }]);
    show();
    expect(await screen.findByText('App at claude.ai')).toBeTruthy();
    expect(screen.queryByText(/^hop_live_/)).toBeNull();
    expect(screen.getByText('App on your device').closest('li')?.textContent).toMatch(
      / · Last used 3 days ago · Expires Feb 1, 2099 · Previous secret works until Jan 5, 2099/,
    );
    await press('Actions for Claude');
    await screen.findByRole('menuitem', { name: 'Disconnect' });
    expect(screen.queryByRole('menuitem', { name: 'Rotate' })).toBeNull();
    fireEvent.click(screen.getByRole('menuitem', { name: 'Disconnect' }));
    expect((await screen.findByRole('dialog', { hidden: true })).textContent).toContain(
      'The access of “Claude” (claude.ai) ends at once.',
    );
    expect(screen.getByText('Disconnect this app?')).toBeTruthy();
    takeToasts();
    await press('Disconnect app');
    expect(await screen.findByText('No API keys yet')).toBeTruthy();
    expect(takeToasts()).toMatchObject([{ text: 'App disconnected.' }]);
  });

  it('keeps the present secret of a rotated key for a day unless told otherwise', async () => {
    const mock = respondWith([200, { keys: [KEY] }], [200, SECRET], [200, { keys: [KEY] }]);
    show();
    await press('Actions for Zapier');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rotate' }));
    await press('Rotate key');
    expect(await screen.findByText(SECRET.key)).toBeTruthy();
    expect(bodyOf(mock, 1)).toEqual({ overlapHours: 24 });
  });

  it('a new key reads and writes links, never ends and sees every code', async () => {
    const mock = respondWith([200, { keys: [] }], [201, SECRET], [200, { keys: [KEY] }]);
    show();
    await press('Create key');
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Zapier' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create key', hidden: true }));
    expect(await screen.findByText(SECRET.key)).toBeTruthy();
    expect(bodyOf(mock, 1)).toEqual({
      name: 'Zapier',
      scopes: ['links:read', 'links:write'],
      expiresAt: null,
      codePrefix: null,
    });
  });

  it('a key that needs a recent code is created after it', async () => {
    respondWith([200, { keys: [] }], [403, { error: 'x', code: 'second_factor_required' }]);
    show();
    await press('Create key');
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Zapier' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create key', hidden: true }));
    expect(await screen.findByText('Confirm that it is you')).toBeTruthy();
  });

  it('a key can end after some days', async () => {
    const mock = respondWith([200, { keys: [] }], [201, SECRET], [200, { keys: [KEY] }]);
    show();
    await press('Create key');
    const dialog = within(await screen.findByRole('dialog', { hidden: true }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Zapier' } });
    const expires = dialog.getByLabelText<HTMLSelectElement>('Expires');
    const choices = [...expires.options].map(({ value, text }) => `${value} ${text}`);
    expect(choices.join()).toBe('0 Never,30 In 30 days,90 In 90 days,365 In a year');
    fireEvent.change(expires, { target: { value: '30' } });
    const before = Date.now();
    fireEvent.click(dialog.getByRole('button', { name: 'Create key', hidden: true }));
    expect(await screen.findByText(SECRET.key)).toBeTruthy();
    const end = Date.parse(Object(bodyOf(mock, 1)).expiresAt);
    expect(end).toBeGreaterThanOrEqual(before + 30 * 86_400_000);
    expect(end).toBeLessThanOrEqual(Date.now() + 30 * 86_400_000);
  });

  it('an account with all its keys is told to revoke one', async () => {
    const keys = Array.from({ length: API_KEYS_MAX }, (_, at) => ({ ...KEY, id: `k${at}` }));
    respondWith([200, { keys }]);
    show();
    const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create key' });
    expect(create.disabled).toBe(true);
    expect(screen.getByText(/^You have \d+ keys, the most an account can have/)).toBeTruthy();
  });

  it('a key that could not be revoked or rotated leaves its dialog with the reason', async () => {
    respondWith(
      [200, { keys: [KEY] }],
      [503, { error: 'Not now.' }],
      [503, { error: 'Not now either.' }],
    );
    show();
    for (const [item, button, text] of [
      ['Revoke', 'Revoke key', 'Not now.'],
      ['Rotate', 'Rotate key', 'Not now either.'],
    ] as const) {
      await press('Actions for Zapier');
      fireEvent.click(await screen.findByRole('menuitem', { name: item }));
      await press(button);
      expect(await screen.findByText(text)).toBeTruthy();
      await press('Cancel');
      await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
    }
    expect(screen.getByText('Zapier')).toBeTruthy();
  });

  it('says that the keys could not be loaded, and tries again', async () => {
    respondWith([503, { error: 'x', code: 'unavailable' }], [200, { keys: [KEY] }]);
    show();
    expect(await screen.findByText('We couldn’t load your API keys.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Create key' })).toBeNull();
    await press('Retry');
    expect(await screen.findByText('Zapier')).toBeTruthy();
  });
});

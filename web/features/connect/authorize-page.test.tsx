import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppRequest } from '#contract/api/oauth.ts';
import { paragraphs, press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { respondWith } from '#web/testing/respond-with.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { AuthorizePage } from './authorize-page.tsx';

const ADDRESS = '/oauth/authorize?client_id=the-app&state=a%26b';
const REQUEST: AppRequest = {
  name: 'Claude',
  host: 'claude.ai',
  cancelUrl: 'https://claude.ai/callback?error=access_denied&state=a%26b',
};

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const LIFETIMES = ['365', ['In a year', 'In 90 days', 'In 30 days']];
const boxOf = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

describe('AuthorizePage', () => {
  it('says who asks and where it leads, and proposes to read only', async () => {
    const mock = respondWith([200, REQUEST]);
    showPage(<AuthorizePage />, ADDRESS);
    expect(await screen.findByRole('heading', { name: 'Connect Claude?' })).toBeTruthy();
    expect(mock.mock.calls[0]?.[0]).toBe('/api/oauth/authorize?client_id=the-app&state=a%26b');
    expect(paragraphs().slice(0, 2)).toEqual([
      'An app that calls itself “Claude” wants to use the account a@example.com.',
      'Your answer goes to claude.ai. Anyone can choose this name, so connect the app only if you know this site.',
    ]);
    expect(paragraphs().at(-1)).toBe('You can disconnect it in Settings → API keys at any time.');
    expect(screen.getByRole('group', { name: 'What it may do' })).toBeTruthy();
    const chosen = ['Read links', 'Read analytics', 'Write links'].map((n) => boxOf(n).checked);
    expect(chosen).toEqual([true, true, false]);
    const cancel = screen.getByRole('link', { name: 'Cancel' });
    expect(cancel.getAttribute('href')).toBe(REQUEST.cancelUrl);
    expect(screen.queryByText('Choose at least one.')).toBeNull();
    const ends = screen.getByLabelText<HTMLSelectElement>('Access ends');
    expect([ends.value, [...ends.options].map(({ text }) => text)]).toEqual(LIFETIMES);
  });

  it('sends the request with the choices, and opens the app', async () => {
    const redirectTo = 'https://claude.ai/callback?code=c';
    const mock = respondWith([200, REQUEST], [201, { redirectTo }]);
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    showPage(<AuthorizePage />, ADDRESS);
    fireEvent.click(await screen.findByLabelText('Write links'));
    fireEvent.click(boxOf('Read analytics'));
    fireEvent.change(screen.getByLabelText('Access ends'), { target: { value: '30' } });
    await press('Connect app');
    await waitFor(() => expect(assign).toHaveBeenCalledWith(redirectTo));
    // The app's page loads meanwhile.
    expect(screen.getByRole('button', { name: 'Connect app', busy: true })).toBeTruthy();
    const body = mock.mock.calls[1]?.[1]?.body;
    expect(typeof body === 'string' && JSON.parse(body)).toEqual({
      client_id: 'the-app',
      state: 'a&b',
      scopes: ['links:read', 'links:write'],
      days: 30,
    });
  });

  it('connects nothing without a right, and names an app on the own device', async () => {
    respondWith([200, { ...REQUEST, host: '127.0.0.1:5000' }]);
    showPage(<AuthorizePage />, ADDRESS);
    expect(
      await screen.findByText('It runs on this device, and your answer goes to it.'),
    ).toBeTruthy();
    for (const name of ['Read links', 'Read analytics']) fireEvent.click(boxOf(name));
    expect(screen.getByText('Choose at least one.')).toBeTruthy();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Connect app' });
    expect(button.disabled).toBe(true);
  });

  it('[T71] a wrong request is explained, and nothing leads to the app', async () => {
    respondWith([400, { error: 'We don’t know this app.', code: 'invalid_request' }]);
    showPage(<AuthorizePage />, ADDRESS);
    expect(await screen.findByText('We don’t know this app.')).toBeTruthy();
    expect(paragraphs()).toEqual(['We don’t know this app.', 'Nothing was connected.']);
    const [link, ...others] = screen.getAllByRole('link');
    expect([link?.textContent, link?.getAttribute('href'), others]).toEqual([
      'Open My URLs',
      '/dashboard',
      [],
    ]);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('a request that fails keeps the page with the reason', async () => {
    respondWith([200, REQUEST], [409, { error: 'Too many keys.', code: 'conflict' }]);
    showPage(<AuthorizePage />, ADDRESS);
    await press('Connect app');
    expect(await screen.findByText('Too many keys.')).toBeTruthy();
    await pressUnanswered('Connect app');
  });

  it('a page that could not be loaded tries again', async () => {
    respondWith([503, { error: 'Down.', code: 'unavailable' }], [200, REQUEST]);
    showPage(<AuthorizePage />, ADDRESS);
    await press('Retry');
    expect(await screen.findByRole('heading', { name: 'Connect Claude?' })).toBeTruthy();
  });

  it('asks for a code of the second factor when the last one is too old', async () => {
    respondWith([200, REQUEST], [403, { error: 'Enter a code.', code: 'second_factor_required' }]);
    showPage(<AuthorizePage />, ADDRESS);
    await press('Connect app');
    expect(await screen.findByLabelText('Code from your authenticator app')).toBeTruthy();
  });
});

import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { byId } from './elements.ts';
import { inputAt, openPage, press, problem, textAt } from '#extension/testing/open-page.ts';

const CONNECTION = { origin: 'https://hop.example', key: 'k', keyName: 'A', canTag: true };
const account = (scopes: string[], codePrefix: string | null = null) =>
  Response.json({
    key: { name: 'Mine', scopes, codePrefix },
    quota: { limit: 25, remaining: 1, resetsAt: '2026-12-12T10:00:00Z' },
  });
const focused = () => document.activeElement?.id;
function type(id: string, text: string): void {
  inputAt(id).value = text;
  inputAt(id).dispatchEvent(new Event('input'));
}

afterEach(() => void vi.unstubAllGlobals());

describe('the settings of the extension', () => {
  it('stores a key only once the server says that it is enough', async () => {
    let answer = () => account(['links:create']);
    const { calls, items } = await openPage('options', undefined, () => answer());
    expect([textAt('connected'), textAt('form-heading')]).toEqual([null, 'Connect your account']);
    expect(textAt('scopes')).toBe('“Read links” and “Write links”');
    const submitted = vi.fn<(event: Event) => boolean>((event) => event.defaultPrevented);
    byId('form', HTMLFormElement).addEventListener('submit', submitted);
    press('save');
    expect([textAt('address-error'), textAt('key-error'), focused()]).toEqual([
      expect.stringMatching(/^Enter an address that starts with https:/),
      'Enter an API key.',
      'address',
    ]);
    expect(submitted).toHaveLastReturnedWith(true);
    await waitFor(() => expect(byId('save', HTMLButtonElement).ariaBusy).toBe('false'));
    type('address', 'https://hop.example/');
    expect(byId('keys-page', HTMLAnchorElement).href).toBe('https://hop.example/settings/api');
    press('save');
    await waitFor(() => expect([textAt('address-error'), focused()]).toEqual([null, 'key']));
    expect(calls).toEqual([]);
    await waitFor(() => expect(byId('save', HTMLButtonElement).ariaBusy).toBe('false'));
    type('key', ' k ');
    press('save');
    press('save');
    await waitFor(() => expect(textAt('key-error')).toMatch(/^This key cannot do enough\./));
    expect([calls.length, items['connection'], focused()]).toEqual([1, undefined, 'key']);
    answer = () => account(['links:read', 'links:write']);
    press('save');
    await waitFor(() =>
      expect(textAt('status')).toBe('Saved. You have 1 link left until Dec 12, 2026 (UTC).'),
    );
    const stored = { origin: 'https://hop.example', key: 'k', keyName: 'Mine', canTag: true };
    expect([items['connection'], inputAt('key').value]).toEqual([stored, '']);
    expect([textAt('key-error'), textAt('form-heading')]).toEqual([null, 'Use another key']);
    expect(textAt('connected-text')).toBe('This browser uses hop.example with the key “Mine”.');

    type('key', 'b');
    answer = () => account(['links:read', 'links:write'], 'b-');
    press('save');
    expect(textAt('status')).toBeNull();
    await waitFor(() => expect(items['connection']).toMatchObject({ key: 'b', canTag: false }));
    type('key', 'c');
    answer = () => account(['links:read', 'links:create']);
    press('save');
    await waitFor(() => expect(items['connection']).toMatchObject({ key: 'c', canTag: false }));
  });

  it('says why a key could not be tried, and keeps the one that is stored', async () => {
    let answer = () => problem(503, 'unavailable');
    const { items } = await openPage('options', CONNECTION, () => answer());
    expect([inputAt('address').value, inputAt('key').value]).toEqual(['https://hop.example', '']);
    expect(textAt('connected-text')).toContain('with the key “A”');
    expect(byId('keys-page', HTMLAnchorElement).href).toBe('https://hop.example/settings/api');
    type('key', 'wrong');
    press('save');
    await waitFor(() => expect(textAt('failure')).toBe('Wrong: unavailable.'));
    answer = () => problem(401, 'unauthenticated');
    press('save');
    await waitFor(() => expect(textAt('key-error')).toMatch(/^This API key does not work\./));
    expect([textAt('failure'), inputAt('key').ariaInvalid ?? 'true', focused()]).toEqual([
      null,
      'true',
      'key',
    ]);
    expect(items['connection']).toEqual(CONNECTION);
    press('remove');
    await waitFor(() => expect(textAt('status')).toMatch(/^Removed from this browser\./));
    expect([items['connection'], textAt('connected'), focused()]).toEqual([
      undefined,
      null,
      'address',
    ]);
    type('address', 'no address');
    expect(byId('keys-page', HTMLAnchorElement).hasAttribute('href')).toBe(false);
  });
});

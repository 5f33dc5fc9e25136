import { afterEach, describe, expect, it, vi } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { isPasskeyRefused, passkeyError, supportsPasskeys } from './passkeys.ts';

const { mode } = config.auth;
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  config.auth.mode = mode;
});

const coded = (code: string) => Object.assign(new Error('The service says no.'), { code });

describe('passkeyError', () => {
  it.each([
    [new DOMException('', 'NotAllowedError'), /^No passkey was used/],
    [new DOMException('', 'InvalidStateError'), /^This device already has a passkey/],
    [new DOMException('', 'AbortError'), /^This browser couldn’t use a passkey/],
    [Object.assign(new Error(''), { name: 'SecurityError' }), /^This browser couldn’t use/],
    [coded('webauthn_challenge_expired'), /^The service says no/],
  ])('explains %s', (error, text) => {
    expect(passkeyError(error)).toMatch(text);
  });
});

describe('isPasskeyRefused', () => {
  it('returns true for the errors of a passkey that was used', () => {
    const codes = ['webauthn_verification_failed', 'user_banned', 'over_request_rate_limit', ''];
    expect(codes.map((code) => isPasskeyRefused(coded(code)))).toEqual([true, true, false, false]);
  });
});

describe('supportsPasskeys', () => {
  it.each([
    ['localhost', 'embedded', true],
    ['192.168.1.2', 'embedded', false],
    ['localhost', 'hosted', false],
  ] as const)('at %s with the %s sign-in: %s', (hostname, authMode, expected) => {
    vi.stubGlobal('PublicKeyCredential', { parseRequestOptionsFromJSON: () => ({}) });
    vi.spyOn(window.location, 'hostname', 'get').mockReturnValue(hostname);
    config.auth.mode = authMode;
    expect(supportsPasskeys()).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { isOneTimeAddress } from './one-time-address.ts';

describe('isOneTimeAddress', () => {
  it.each([
    'https://list.example/unsubscribe/ann',
    'https://list.example/opt-out?u=7',
    'https://app.example/verify?id=7',
    'https://app.example/reset-password/x',
    'https://app.example/login?token=abc',
    'https://files.example/a.pdf?X-Amz-Signature=00ff',
    'https://app.example/x?k=eyJhbGciOiJIUzI1NiJ9.e30.Zm9vYmFy1',
    'https://app.example/?unsubscribe=1',
    ...'optout abmelden confirm activate password-reset magic-link onetime invite invitations logout sign-out'
      .split(' ')
      .map((word) => `https://app.example/${word}/7`),
    ...'otp ticket jwt sig auth secret nonce access_key accesskey invite apikey my-token'
      .split(' ')
      .map((name) => `https://app.example/x?${name}=7`),
    `https://app.example/x?k=7${'a'.repeat(23)}`,
  ])('recognizes %s', (href) => expect(isOneTimeAddress(href)).toBe(true));

  it.each([
    'https://example.com/',
    `https://app.example/x?k=7${'a'.repeat(22)}`,
    ...'utm_id gbraid wbraid fbclid msclkid dclid yclid ttclid igshid mc_eid'
      .split(' ')
      .map((name) => `https://shop.example/?${name}=7${'a'.repeat(40)}`),
    'https://example.com/confirmation-bias',
    'https://example.com/verifying-facts?page=2',
    'https://shop.example/?utm_source=mail&gclid=Cj0KCQiAtP9678PJkJT4yHvoQ0123456',
    'https://example.com/article/7f3c2a1e-0b4d-4c5e-9f8a-1b2c3d4e5f60',
  ])('accepts %s', (href) => expect(isOneTimeAddress(href)).toBe(false));
});

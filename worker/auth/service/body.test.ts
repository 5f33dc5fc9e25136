import { describe, expect, it } from 'vitest';
import { hashToken } from '#worker/secrets/one-time-secret.ts';
import { isTooLarge, parseEmail, readObject, readSignUpSecretHash, readString } from './body.ts';

const SECRET = 'Az09-_'.repeat(7).concat('x');

describe('members of a request body', () => {
  it('a missing member and null count as absent, and inherited ones do not exist', () => {
    for (const body of [{}, { name: null }])
      expect([readString(body, 'name'), readObject(body, 'name')]).toEqual(['', null]);
    expect([readString({}, 'constructor'), readObject({}, '__proto__')]).toEqual(['', null]);
    expect(readSignUpSecretHash(Object.create({ sign_up_secret: SECRET }))).toBeNull();
  });

  it.each([[1], [true], [[]], [{}]])('%j is no string', (value) => {
    expect(() => readString({ name: value }, 'name')).toThrow('member_not_string');
  });

  it.each([[1], ['x'], [[]]])('%j is no object', (value) => {
    expect(() => readObject({ name: value }, 'name')).toThrow('member_not_object');
  });

  it('metadata has at most 2048 characters of JSON', () => {
    const ofLength = (length: number) => ({ x: 'x'.repeat(length - '{"x":""}'.length) });
    expect([isTooLarge(ofLength(2048)), isTooLarge(ofLength(2049))]).toEqual([false, true]);
  });

  it('a sign-up secret is 43 characters of base64url, and anything else is none', () => {
    const parse = (sign_up_secret: unknown) => readSignUpSecretHash({ sign_up_secret });
    expect(parse(SECRET)).toBe(hashToken(SECRET));
    for (const other of [SECRET.slice(1), `${SECRET}x`, ` ${SECRET.slice(1)}`, 7, null])
      expect(parse(other)).toBeNull();
  });
});

describe('parseEmail', () => {
  it('returns an address without spaces around it, in lower case', () => {
    expect(parseEmail(" Ada.O'Neil+News@Mail.Example.COM\n")).toBe(
      "ada.o'neil+news@mail.example.com",
    );
  });

  it('accepts an address of 255 characters and rejects a longer one', () => {
    const long = `${'n'.repeat(64)}@${'l'.repeat(60)}.${'l'.repeat(60)}.${'l'.repeat(60)}.`;
    const fits = `${long}${'r'.repeat(255 - long.length)}`;
    expect([fits.length, parseEmail(fits)]).toEqual([255, fits]);
    expect(() => parseEmail(`${fits}r`)).toThrow('email_too_long');
  });

  it.each([
    '',
    'ada',
    'ada@example',
    '@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa mple.com',
    'ada@example.com.',
    'ada@example..com',
    'a"da@example.com',
    'ädä@example.com',
    `${'n'.repeat(65)}@example.com`,
    `ada@${'l'.repeat(64)}.com`,
  ])('rejects %j', (text) => {
    expect(() => parseEmail(text)).toThrow('email_invalid');
  });
});

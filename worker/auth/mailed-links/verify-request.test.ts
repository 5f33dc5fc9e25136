import { describe, expect, it } from 'vitest';
import { readLink, readVerification } from './verify-request.ts';

const EMAIL = 'ada@example.com';

describe('kinds of mailed links', () => {
  it.each([
    ['signup', ['signup'], ['signup']],
    ['recovery', ['recovery', 'secure'], ['recovery']],
    ['magiclink', ['recovery'], ['recovery']],
    ['email', ['signup', 'recovery'], ['signup', 'recovery']],
    ['invite', [], []],
    ['email_change', [], []],
  ])('the type %s names links of %j and codes of %j', (type, links, codes) => {
    expect(readVerification({ type, token_hash: 'x' }).kinds).toEqual(links);
    expect(readLink({ type, token_hash: 'x' }).kinds).toEqual(links);
    expect(readVerification({ type, token: '123456', email: EMAIL }).kinds).toEqual(codes);
  });

  it.each(['secure', 'sms', 'toString', 'SIGNUP'])('the type %s names none', (type) => {
    expect(() => readVerification({ type, token_hash: 'x' })).toThrow('verify_type_unknown');
    expect(() => readLink({ type, token_hash: 'x' })).toThrow('verify_type_unknown');
  });

  it('a code may have spaces around it, and its address capitals', () => {
    expect(
      readVerification({ type: 'email', token: ' 123456 ', email: ' Ada@Example.com' }),
    ).toMatchObject({ code: '123456', email: EMAIL });
  });
});

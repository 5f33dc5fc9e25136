import { describe, expect, it } from 'vitest';
import { RequestError } from '#web/shared/api/api.ts';
import { describeShortenError } from './shorten-error.ts';

const REQUEST = {
  longUrl: 'https://example.com/',
  customCode: 'sale',
  expiresAt: 1,
  tags: ['a', 'b'],
  password: 'open',
};
const describeError = (cause: unknown) => describeShortenError(cause, REQUEST);

describe('describeShortenError', () => {
  it('adds the Premium offer when the quota is used up', () => {
    expect(
      describeError(
        new RequestError(429, { error: 'Monthly limit reached', upgradeRequired: true }),
      ),
    ).toEqual({
      text: 'Monthly limit reached. Upgrade to Premium for 1,000 URLs/month at ₹500/month.',
      field: 'form',
      upgradeRequired: true,
    });
  });

  it('shows one full stop after a sentence of the server', () => {
    const { text } = describeError(
      new RequestError(429, { error: 'You have used all 25 links.', upgradeRequired: true }),
    );
    expect(text).toBe(
      'You have used all 25 links. Upgrade to Premium for 1,000 URLs/month at ₹500/month.',
    );
  });

  it('offers no upgrade for too many requests, which have the same status', () => {
    expect(
      describeError(new RequestError(429, { error: 'Too many requests.', upgradeRequired: false })),
    ).toEqual({
      text: 'Too many requests.',
      field: 'form',
      upgradeRequired: false,
    });
  });

  it('offers no upgrade for another status', () => {
    const error = new RequestError(400, { error: 'Odd.', upgradeRequired: true });
    expect(describeError(error)).toEqual({
      text: 'Odd.',
      field: 'form',
      upgradeRequired: false,
    });
  });

  it.each([
    ['customCode', 'customCode'],
    ['longUrl', 'longUrl'],
    ['expiresAt', 'expiresAt'],
    ['tags.2', 'tags'],
    ['password', 'password'],
    ['startsAt', 'form'],
  ])('shows an error about %s at %s', (field, shownAt) => {
    expect(describeError(new RequestError(409, { error: 'No.', field }))).toMatchObject({
      text: 'No.',
      field: shownAt,
    });
  });

  it.each([new RequestError(0, {}), new TypeError('Failed to fetch'), new RequestError(502, {})])(
    'explains %s with a message that is specific to it',
    (cause) => {
      expect(describeError(cause).text).toBe('Failed to shorten URL. Please try again.');
    },
  );
});

import { expect, test } from 'vitest';
import { ApiError } from '#web/shared/api.ts';
import { describeShortenError } from './shorten-error.ts';

test('a used-up quota says what Premium gives, word for word', () => {
  const failure = describeShortenError(new ApiError(429, { error: 'Monthly limit reached', upgradeRequired: true }));
  expect(failure.text).toBe('Monthly limit reached. Upgrade to Premium for 1,000 URLs/month at ₹500/month.');
  expect(failure).toMatchObject({ at: 'form', upgradeRequired: true });
});

test('a full stop of the server is not doubled', () => {
  const failure = describeShortenError(new ApiError(429, { error: 'You have used all 25 links.', upgradeRequired: true }));
  expect(failure.text).toBe('You have used all 25 links. Upgrade to Premium for 1,000 URLs/month at ₹500/month.');
});

test('too many requests is no reason to upgrade: the flag tells, not the status', () => {
  const failure = describeShortenError(new ApiError(429, { error: 'Too many requests.', upgradeRequired: false }));
  expect(failure).toEqual({ text: 'Too many requests.', at: 'form', upgradeRequired: false });
});

test('any other error is the server’s own text, beside its field', () => {
  expect(describeShortenError(new ApiError(409, { error: 'This alias is taken.', field: 'customCode' }))).toMatchObject({
    text: 'This alias is taken.',
    at: 'customCode',
  });
  expect(describeShortenError(new ApiError(400, { error: 'Only web addresses.', field: 'longUrl' })).at).toBe('longUrl');
  expect(describeShortenError(new ApiError(400, { error: 'Odd.', field: 'expiresAt' })).at).toBe('form');
});

test.each([new ApiError(0, {}), new TypeError('Failed to fetch'), new ApiError(502, {})])('no answer: %s', (cause) => {
  expect(describeShortenError(cause).text).toBe('Failed to shorten URL. Please try again.');
});

import { expect, test } from 'vitest';
import { ApiFailure } from '#web/shared/api.ts';
import { upgradeFailure } from './upgrade-failure.ts';

test('the server’s words first', () => {
  expect(upgradeFailure(new ApiFailure(402, { error: 'Already on Premium.' }))).toBe('Already on Premium.');
});
test('an answer without words: payment is missing', () => {
  expect(upgradeFailure(new ApiFailure(500, {}))).toBe(
    'Payment integration required. Please contact support for manual upgrade.',
  );
});
test('no answer', () => {
  expect(upgradeFailure(new ApiFailure(0, {}))).toBe(
    'Payment system not yet integrated. Please contact support for manual upgrade.',
  );
});

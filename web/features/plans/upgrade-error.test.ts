import { expect, test } from 'vitest';
import { ApiError } from '#web/shared/api.ts';
import { describeUpgradeError } from './upgrade-error.ts';

test('the server’s words first', () => {
  expect(describeUpgradeError(new ApiError(402, { error: 'Already on Premium.' }))).toBe('Already on Premium.');
});
test('an answer without words: payment is missing', () => {
  expect(describeUpgradeError(new ApiError(500, {}))).toBe(
    'Payment integration required. Please contact support for manual upgrade.',
  );
});
test('no answer', () => {
  expect(describeUpgradeError(new ApiError(0, {}))).toBe(
    'Payment system not yet integrated. Please contact support for manual upgrade.',
  );
});

import { describe, expect, it } from 'vitest';
import { RequestError } from '#web/shared/api/api.ts';
import { describeUpgradeError } from './upgrade-dialog.tsx';

describe('describeUpgradeError', () => {
  it('returns the message of the server', () => {
    expect(describeUpgradeError(new RequestError(402, { error: 'Already on Premium.' }))).toBe(
      'Already on Premium.',
    );
  });

  it('says that payment is missing when the server sent no message', () => {
    expect(describeUpgradeError(new RequestError(500, {}))).toBe(
      'Payment integration required. Please contact support for manual upgrade.',
    );
  });

  it.each([new RequestError(0, {}), new TypeError('Failed to fetch')])(
    'a message explains that no response arrived (%s)',
    (cause) => {
      expect(describeUpgradeError(cause)).toBe(
        'Payment system not yet integrated. Please contact support for manual upgrade.',
      );
    },
  );
});

import { ApiError } from '#web/shared/api.ts';

export const UPGRADED = 'Successfully upgraded to Premium!';
const NO_TEXT = 'Payment integration required. Please contact support for manual upgrade.';
const NETWORK = 'Payment system not yet integrated. Please contact support for manual upgrade.';

/** What a failed upgrade says (spec §8): the server's words, or that payment is missing; another sentence where the network failed. */
export function describeUpgradeError(cause: unknown): string {
  if (!(cause instanceof ApiError) || cause.status === 0) return NETWORK;
  return cause.body.error ?? NO_TEXT;
}

import { RequestError } from '#web/shared/api.ts';

export const UPGRADED = 'Successfully upgraded to Premium!';
const NO_MESSAGE = 'Payment integration required. Please contact support for manual upgrade.';
const NO_RESPONSE = 'Payment system not yet integrated. Please contact support for manual upgrade.';

/**
 * The message for a failed upgrade: the server's own, or one of ours if it sent none or no response
 * arrived.
 */
export function describeUpgradeError(cause: unknown): string {
  if (!(cause instanceof RequestError) || cause.status === 0) return NO_RESPONSE;
  return cause.body.error ?? NO_MESSAGE;
}

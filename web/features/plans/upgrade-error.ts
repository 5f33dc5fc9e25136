import { RequestError } from '#web/shared/api.ts';

export const UPGRADED = 'Successfully upgraded to Premium!';
const NO_MESSAGE = 'Payment integration required. Please contact support for manual upgrade.';
const NO_RESPONSE = 'Payment system not yet integrated. Please contact support for manual upgrade.';

/** Returns the message for a failed upgrade: the server's, or a default if there is none. */
export function describeUpgradeError(cause: unknown): string {
  if (!(cause instanceof RequestError) || cause.status === 0) return NO_RESPONSE;
  return cause.body.error ?? NO_MESSAGE;
}

import type { AuthContext } from '#worker/auth/service/context.ts';
import { addressCodeLimits } from './code-limits.ts';
import { reset } from './counters.ts';
import { addressMailLimits } from './mail-limits.ts';
import { noticeLimits } from './notice-limits.ts';
import { passwordLimits } from './password-limits.ts';

/**
 * Ends the locks of an address, and its limits on emails, once its owner has used a mailed link or
 * code.
 */
export async function resetAddressLimits(context: AuthContext, email: string): Promise<void> {
  const { pair, address } = passwordLimits(context, email);
  await reset(context.db, [
    pair,
    address,
    ...addressCodeLimits(context, email),
    ...noticeLimits(context, email),
    ...addressMailLimits(context, email),
  ]);
}

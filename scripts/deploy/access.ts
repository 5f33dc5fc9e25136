import { DeployError } from './environment.ts';
import { PlatformError, type Account } from './platform.ts';

/** What the deployment reads and writes in the account, by path. Each needs its own permission. */
const AREAS = [
  '/d1/database',
  '/storage/kv/namespaces',
  '/queues',
  '/r2/buckets',
  '/workers/domains',
];

export const ENABLE_R2 =
  'R2, which holds the backups, is not enabled in this account. Enable it at https://dash.cloudflare.com/?to=/:account/r2; the first 10 GB are free. Then run the command again.';

/**
 * The account has not enabled R2. The API of buckets answers the first, the upload of a Worker that
 * is bound to one the second (https://github.com/cloudflare/workers-sdk/issues/15610).
 */
const R2_IS_OFF = [10042, 10136];

/** Returns why the login cannot deploy: each missing permission, and R2 if it is off. */
export async function checkAccess(account: Account): Promise<string[]> {
  const problems = await Promise.all(
    AREAS.map(async (path) => {
      try {
        await account.read(path);
        return [];
      } catch (error) {
        if (isR2Off(error)) return [ENABLE_R2];
        if (error instanceof PlatformError && error.isForbidden) return [error.message];
        throw error;
      }
    }),
  );
  return problems.flat();
}

const isR2Off = (error: unknown): boolean =>
  error instanceof PlatformError && R2_IS_OFF.includes(error.code);

/** Replaces wrangler's output for an account without R2 with what to do about it. */
export async function explainR2<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isOff = R2_IS_OFF.some((code) => String(error).includes(`code: ${code}`));
    throw isOff || isR2Off(error) ? new DeployError(ENABLE_R2) : error;
  }
}

import { isReservedKey } from '#contract/pages/reserved.ts';
import type { LinkKey } from '#contract/codes/link-key.ts';
import { errorPage, wantsJson } from './error-page.ts';
import { recordMiss } from './miss-limit.ts';
import { redirectTo } from './redirect-to.ts';
import type { WaitUntil } from './shared-timeout.ts';
import { suggestCode } from './suggest-code.ts';

type Stores = Parameters<typeof errorPage>[1] & Parameters<typeof recordMiss>[1] & Pick<Env, 'DB'>;

/**
 * The response to a code that no link has. It counts as a miss of the network first, so that
 * suggestions cannot be asked for any faster than codes can be guessed. `notFoundUrl` is the page
 * that the domain of the request has for unknown codes. `now` in ms since 1970.
 */
export async function respondUnknown(
  request: Request,
  env: Stores,
  key: LinkKey,
  now: number,
  waitUntil: WaitUntil,
  notFoundUrl?: string,
): Promise<Response> {
  if (await recordMiss(request, env, now)) return errorPage(request, env, { why: 'limited' });
  if (notFoundUrl !== undefined) return redirectTo(notFoundUrl, request.url.startsWith('https:'));
  const isRead = request.method === 'GET' && !wantsJson(request) && !isReservedKey(key);
  const suggestion = isRead ? await suggestCode(env.DB, key, now, waitUntil) : null;
  return errorPage(request, env, { why: 'unknown', suggestion });
}

import { authSecret } from '#worker/auth/service/settings.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { isPrefetch } from '#worker/redirect/click-event.ts';
import { errorPage, wantsJson } from '#worker/redirect/error-page.ts';
import type { Visit } from '#worker/redirect/redirect.ts';
import { checkPassword, type PasswordCheck } from './check-password.ts';
import { hasPasswordCookie, passwordCookie } from './password-cookie.ts';
import { passwordPage } from './password-page.ts';

/**
 * Lets a visit pass the password of a link (SECURITY.md T73). Returns the cookie that remembers a
 * password that was just entered, '' for a browser that has one, or the page that asks. A HEAD and a
 * prefetch never pass.
 */
export async function enterPassword(
  { request, url, method, env, now }: Visit,
  { id, hash }: { id: number; hash: string },
): Promise<{ cookie: string } | Response> {
  const { pathname, origin, protocol } = new URL(url);
  const secret = authSecret(env);
  const guarded = { path: pathname, id, hash };
  if (method !== 'POST') {
    const isVisit = method === 'GET' && !isPrefetch(request.headers);
    if (isVisit && hasPasswordCookie(secret, guarded, request, now)) return { cookie: '' };
    if (wantsJson(request)) return errorPage(request, env, { why: 'password' });
    return passwordPage(request, env, { result: 'first' });
  }
  if ((request.headers.get('Origin') ?? origin) !== origin)
    return passwordPage(request, env, { result: 'foreign' });
  const check = await checkPassword(request, env, guarded, now).catch(
    (error: unknown): PasswordCheck => {
      logEvent('link_password_failed', errorFacts(error));
      return { result: 'busy' };
    },
  );
  if (check.result !== 'right') return passwordPage(request, env, check);
  return { cookie: passwordCookie(secret, guarded, { isHttps: protocol === 'https:', now }) };
}

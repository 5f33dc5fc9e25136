import type { FetchFunction } from '#worker/abuse/fetch-function.ts';
import { verifyTurnstile } from '#worker/abuse/turnstile.ts';
import { AuthError } from './errors.ts';
import { objectOf, textOf, type Body } from './body.ts';
import type { AuthSettings } from './settings.ts';

/**
 * Where a captcha is set up, checks the token that the client sends with a request that causes a mail. Throws 400
 * `captcha_failed`, and 503 where nobody could say: a guard that fails open would guard nothing.
 */
export async function requireCaptcha(settings: AuthSettings, body: Body, fetcher: FetchFunction): Promise<void> {
  if (settings.turnstileSecret === null) return;
  const token = textOf(objectOf(body, 'gotrue_meta_security') ?? {}, 'captcha_token');
  const verdict = await verifyTurnstile(settings.turnstileSecret, token, fetcher);
  if (verdict === 'failed') throw new AuthError(400, 'captcha_failed', 'Complete the captcha, then try again.');
  if (verdict === 'unreachable')
    throw new AuthError(503, 'captcha_unreachable', 'We couldn’t verify the captcha. Try again in a minute.', {
      retryAfter: 60,
    });
}

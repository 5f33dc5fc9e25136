import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { verifyTurnstile } from '#worker/safety/turnstile.ts';
import { AuthError } from './service/errors.ts';
import { readObject, readString, type Body } from './service/body.ts';
import type { AuthSettings } from './service/settings.ts';

/**
 * Verifies the captcha token of a request that sends an email. Does nothing without Turnstile keys.
 * Throws 400 `captcha_failed`, and 503 if the captcha service is unreachable, because letting
 * requests through would make the check useless.
 */
export async function requireCaptcha(
  settings: AuthSettings,
  body: Body,
  fetcher: FetchFunction,
): Promise<void> {
  if (settings.turnstileSecret === null) return;
  const token = readString(readObject(body, 'gotrue_meta_security') ?? {}, 'captcha_token');
  const verdict = await verifyTurnstile(settings.turnstileSecret, token, fetcher);
  if (verdict === 'failed') throw new AuthError('captcha_failed');
  if (verdict === 'unreachable') throw new AuthError('captcha_unreachable');
}

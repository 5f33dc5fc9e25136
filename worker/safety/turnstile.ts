import type { FetchFunction } from '#worker/http/fetch-function.ts';

const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const VERIFY_TIME_LIMIT_MS = 4_000;

/**
 * 'unreachable': Turnstile did not answer. Callers reject the request (a captcha fails closed) and
 * ask to try again.
 */
export type TurnstileVerdict = 'passed' | 'failed' | 'unreachable';

/** Asks Turnstile whether `token` is valid. The visitor's address is not sent. */
export async function verifyTurnstile(
  secret: string,
  token: string | undefined,
  fetcher: FetchFunction,
): Promise<TurnstileVerdict> {
  if (token === undefined || token === '') return 'failed';
  try {
    const response = await fetcher(VERIFY_URL, {
      method: 'POST',
      body: new URLSearchParams({ secret, response: token }),
      signal: AbortSignal.timeout(VERIFY_TIME_LIMIT_MS),
    });
    if (!response.ok) return 'unreachable';
    const answer: unknown = await response.json();
    return typeof answer === 'object' &&
      answer !== null &&
      'success' in answer &&
      answer.success === true
      ? 'passed'
      : 'failed';
  } catch {
    return 'unreachable';
  }
}

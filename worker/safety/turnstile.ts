import type { FetchFunction } from '#worker/http/fetch-function.ts';

const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const VERIFY_TIME_LIMIT_MS = 4_000;

/**
 * 'unreachable' means that Turnstile did not answer. Callers then reject the request and ask to try
 * again, so that the captcha fails closed.
 */
export type TurnstileVerdict = 'passed' | 'failed' | 'unreachable';

/** Asks Turnstile whether `token` is valid, without sending the visitor's address. */
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

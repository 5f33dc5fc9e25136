import type { Fetcher } from './fetcher.ts';

const VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const VERIFY_LIMIT_MS = 4_000;

/** 'unreachable': nobody could say; the caller refuses (a guard fails closed) and tells the visitor to try again. */
export type TurnstileVerdict = 'passed' | 'failed' | 'unreachable';

/** Asks Turnstile whether `token` came from a person on our page. The visitor's address is not sent along. */
export async function verifyTurnstile(secret: string, token: string | undefined, fetcher: Fetcher): Promise<TurnstileVerdict> {
  if (token === undefined || token === '') return 'failed';
  try {
    const response = await fetcher(VERIFY_URL, {
      method: 'POST',
      body: new URLSearchParams({ secret, response: token }),
      signal: AbortSignal.timeout(VERIFY_LIMIT_MS),
    });
    if (!response.ok) return 'unreachable';
    const answer: unknown = await response.json();
    return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true ? 'passed' : 'failed';
  } catch {
    return 'unreachable';
  }
}

import { SITE_NAME } from '#contract/site.ts';
import type { FetchFunction } from '#worker/http/fetch-function.ts';
import { isLoopback } from '#worker/http/origins.ts';
import { DELIVERY_MESSAGES } from '#worker/messages/features.ts';
import { checkHost } from '#worker/safety/check-host.ts';
import { findOwnDomain, type OwnDomains } from '#worker/safety/own-domain.ts';
import { signatureHeaders, type SecretSalts } from './sign.ts';

/**
 * The result of one attempt. `response` is null if the endpoint did not answer, `error` is null if
 * it accepted the event.
 */
export type Attempt = {
  response: { status: number; text: string } | null;
  durationMs: number;
  error: string | null;
};

const TIME_LIMIT_MS = 10_000;
/** How much of a response is read, in bytes, and stored, in characters. */
const READ_MAX = 2_048;
const KEPT_MAX = 500;

export type Sender = {
  authSecret: string;
  own: OwnDomains;
  /** True on a developer's machine, which may have endpoints on the same machine. */
  allowsLoopback: boolean;
  fetcher: FetchFunction;
  clock: () => number;
};

/**
 * Sends one event to an endpoint, once. It does not follow redirects, and any status other than 2xx
 * is a failure. Never throws.
 */
export async function sendAttempt(
  { authSecret, own, allowsLoopback, fetcher, clock }: Sender,
  endpoint: SecretSalts & { url: string },
  { messageId, body }: { messageId: string; body: string },
): Promise<Attempt> {
  const start = clock();
  const failed = (error: string): Attempt => ({
    response: null,
    durationMs: clock() - start,
    error,
  });
  const { hostname } = new URL(endpoint.url);
  // This is checked again for each attempt, because the deployment may have moved to another host.
  if (!(allowsLoopback && isLoopback(endpoint.url))) {
    if (findOwnDomain(hostname, own) !== null) return failed(DELIVERY_MESSAGES.own_domain);
    const verdict = await checkHost(hostname, fetcher);
    if (verdict === 'private') return failed(DELIVERY_MESSAGES.private_host);
    if (verdict === 'unknown') return failed(DELIVERY_MESSAGES.unknown_host);
  }
  try {
    const response = await fetcher(endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': `${SITE_NAME}-Webhooks/1`,
        ...signatureHeaders(authSecret, endpoint, { messageId, body, now: clock() }),
      },
      body,
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const text = await readStart(response);
    return {
      response: { status: response.status, text },
      durationMs: clock() - start,
      error: errorOf(response.status),
    };
  } catch (error) {
    const isLate =
      error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
    return failed(
      isLate ? DELIVERY_MESSAGES.too_late(TIME_LIMIT_MS / 1000) : DELIVERY_MESSAGES.no_connection,
    );
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return DELIVERY_MESSAGES.redirect(status);
  return status === 410 ? DELIVERY_MESSAGES.gone : DELIVERY_MESSAGES.bad_status(status);
}

const UNSTORABLE = new RegExp(String.raw`[\p{Cc}\p{Cs}]+`, 'gu');

/** Returns the beginning of a response as text without control characters. The rest is not read. */
async function readStart({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    size += chunk.byteLength;
    text += decoder.decode(chunk.subarray(0, READ_MAX), { stream: true });
    if (size >= READ_MAX) break;
  }
  return text.replace(UNSTORABLE, ' ').trim().slice(0, KEPT_MAX);
}

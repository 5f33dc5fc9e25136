import { ERROR_CODES, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import type { EdgeLink } from './edge-link.ts';
import { ownOrigins } from './own-origins.ts';
import { pageFrame, pageHeaders } from './page-frame.ts';
import { escapeHtml } from '#worker/html.ts';

/** Why `/{code}` does not redirect. `gone` = a link that does not lead anywhere any more. */
export type Stop = { why: 'unknown' | 'method' | 'limited' | 'down' } | { why: 'gone'; code: string; link: EdgeLink };

type Words = { error: ErrorCode; title: string; text: string; retryAfter?: number };

const WORDS: Readonly<Record<Exclude<Stop['why'], 'gone'> | 'removed' | 'disabled' | 'expired', Words>> = {
  unknown: {
    error: 'not_found',
    title: 'There is no link here',
    text: 'This address leads nowhere. Codes tell capitals from small letters: please check how it is written.',
  },
  removed: { error: 'gone', title: 'This link has been removed', text: 'Its owner has taken it down. It will not come back.' },
  expired: {
    error: 'gone',
    title: 'This link has ended',
    text: 'It was made to work until a certain time, and that time is over.',
  },
  disabled: { error: 'gone', title: 'This link is switched off', text: 'It does not lead anywhere at the moment.' },
  limited: {
    error: 'rate_limited',
    title: 'Too many requests',
    text: 'Your network has asked for many links that do not exist, or for many previews. Wait a minute and try again.',
    retryAfter: 60,
  },
  down: {
    error: 'unavailable',
    title: 'Please try again in a moment',
    text: 'We cannot look this link up just now. Nothing is wrong with the link itself.',
    retryAfter: 5,
  },
  method: { error: 'method_not_allowed', title: 'Links are opened, not sent to', text: 'Only GET and HEAD work here.' },
};

/** The page (or JSON, where the client asks for it) that says why there is no redirect. Never stored by anybody. */
export function stopPage(request: Request, env: Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN'>, stop: Stop): Response {
  const words = WORDS[stop.why === 'gone' ? endOf(stop.link) : stop.why];
  const status = ERROR_CODES[words.error];
  const nonce = crypto.randomUUID();
  const headers = pageHeaders(request, nonce);
  if (words.retryAfter !== undefined) headers.set('Retry-After', String(words.retryAfter));
  if (status === 405) headers.set('Allow', 'GET, HEAD');
  if (wantsJson(request)) {
    const body: ErrorBody = { error: sentence(stop, words), code: words.error, requestId: nonce };
    headers.set('Content-Type', 'application/json; charset=utf-8');
    return new Response(JSON.stringify(body), { status, headers });
  }
  const { app: own, short } = ownOrigins(env);
  const app = short === null ? '' : (own?.origin ?? '');
  return new Response(pageFrame({ title: words.title, nonce, app, main: mainPart(stop, words, status, app) }), {
    status,
    headers,
  });
}

/** True where the client asks for JSON and not for a page. */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.get('Accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

/** Why a link that exists does not lead anywhere. */
function endOf(link: EdgeLink): 'removed' | 'disabled' | 'expired' {
  if (link.s === 'x') return 'removed';
  return link.s === 'd' ? 'disabled' : 'expired';
}

const reasonOf = (stop: Stop): string => (stop.why === 'gone' ? (stop.link.r ?? '') : '');

function sentence(stop: Stop, words: Words): string {
  const reason = reasonOf(stop);
  return reason === '' ? `${words.title}.` : `${words.title}: ${reason}`;
}

function mainPart(stop: Stop, words: Words, status: number, app: string): string {
  const reason = reasonOf(stop);
  const report =
    stop.why === 'gone' && stop.link.s === 'd'
      ? `<a href="${escapeHtml(app)}/report?code=${encodeURIComponent(stop.code)}">Report it or ask for another look</a>`
      : '';
  return `<p class="status">${status}</p>
<h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(words.text)}</p>
${reason === '' ? '' : `<p class="reason">${escapeHtml(reason)}</p>`}
<p class="actions"><a class="button" href="${escapeHtml(app)}/">Shorten a link</a>${report}</p>`;
}

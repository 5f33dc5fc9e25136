import { ERROR_CODES, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { escapeHtml } from '#worker/html.ts';
import { configuredOrigins } from './configured-origins.ts';
import type { EdgeRecord } from './edge-record.ts';
import { pageHeaders, renderPage } from './html-page.ts';
import { supportAddress } from './support-address.ts';

/** Why `/{code}` does not redirect. `gone`: the link exists, but is disabled, deleted or expired. */
export type NoRedirect = { why: 'unknown' | 'method' | 'limited' | 'down' } | { why: 'gone'; code: string; record: EdgeRecord };

/** `retryAfter` in seconds. */
type Message = { error: ErrorCode; title: string; text: string; retryAfter?: number };

const MESSAGES: Readonly<Record<Exclude<NoRedirect['why'], 'gone'> | 'deleted' | 'disabled' | 'expired', Message>> = {
  unknown: {
    error: 'not_found',
    title: 'Link not found',
    text: 'Short links are case-sensitive. Check the spelling and try again.',
  },
  deleted: { error: 'gone', title: 'This link has been deleted', text: 'It no longer redirects.' },
  expired: { error: 'gone', title: 'This link has expired', text: 'Its owner set an end date, and that date has passed.' },
  disabled: { error: 'gone', title: 'This link is disabled', text: 'It does not redirect at the moment.' },
  limited: {
    error: 'rate_limited',
    title: 'Too many requests',
    text: 'Your network has requested too many unknown links or previews. Wait a minute and try again.',
    retryAfter: 60,
  },
  down: {
    error: 'unavailable',
    title: 'Temporarily unavailable',
    text: 'We couldn’t look up this link. The link itself is fine. Try again in a few seconds.',
    retryAfter: 5,
  },
  method: { error: 'method_not_allowed', title: 'Method not allowed', text: 'Short links accept GET and HEAD only.' },
};

type Settings = Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN' | 'SUPPORT_EMAIL' | 'ABUSE_EMAIL'>;

/** The error page, or JSON if the client prefers it, for a short link that does not redirect. Never cached. */
export function errorPage(request: Request, env: Settings, reason: NoRedirect): Response {
  const message = MESSAGES[reason.why === 'gone' ? stateOf(reason.record) : reason.why];
  const status = ERROR_CODES[message.error];
  const nonce = crypto.randomUUID();
  const headers = pageHeaders(request, nonce);
  if (message.retryAfter !== undefined) headers.set('Retry-After', String(message.retryAfter));
  if (status === 405) headers.set('Allow', 'GET, HEAD');
  if (wantsJson(request)) {
    const body: ErrorBody = { error: toSentence(reason, message), code: message.error, requestId: nonce };
    headers.set('Content-Type', 'application/json; charset=utf-8');
    return new Response(JSON.stringify(body), { status, headers });
  }
  const { app, short } = configuredOrigins(env);
  const appOrigin = short === null ? '' : (app?.origin ?? '');
  const main = renderMain(reason, message, appOrigin) + renderSupport(supportAddress(env));
  return new Response(renderPage({ title: message.title, nonce, appOrigin, main }), { status, headers });
}

/** True if the client accepts JSON and not HTML. */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.get('Accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

/** Why a link that exists does not redirect. */
function stateOf(record: EdgeRecord): 'deleted' | 'disabled' | 'expired' {
  if (record.s === 'x') return 'deleted';
  return record.s === 'd' ? 'disabled' : 'expired';
}

/** The administrator's reason for disabling the link, '' if there is none. */
const disabledReasonOf = (reason: NoRedirect): string => (reason.why === 'gone' ? (reason.record.r ?? '') : '');

function toSentence(reason: NoRedirect, message: Message): string {
  const disabledReason = disabledReasonOf(reason);
  return disabledReason === '' ? `${message.title}.` : `${message.title}: ${disabledReason}`;
}

function renderMain(reason: NoRedirect, message: Message, appOrigin: string): string {
  const disabledReason = disabledReasonOf(reason);
  const report =
    reason.why === 'gone' && reason.record.s === 'd'
      ? `<a href="${escapeHtml(appOrigin)}/report?code=${encodeURIComponent(reason.code)}">Report this link or ask for a review</a>`
      : '';
  return `<p class="status">${ERROR_CODES[message.error]}</p>
<h1>${escapeHtml(message.title)}</h1>
<p>${escapeHtml(message.text)}</p>
${disabledReason === '' ? '' : `<p class="reason">${escapeHtml(disabledReason)}</p>`}
<p class="actions"><a class="button" href="${escapeHtml(appOrigin)}/">Shorten a link</a>${report}</p>`;
}

const renderSupport = (address: string): string =>
  address === '' ? '' : `\n<p class="support">Need help? Contact support at <a href="mailto:${address}">${address}</a>.</p>`;

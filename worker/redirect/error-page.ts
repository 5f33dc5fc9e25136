import { DEFAULT_DOMAIN, splitKey } from '#contract/codes/domain-key.ts';
import { BROKEN_ARC, ENDED_ARC, LOOPING_ARC } from '#contract/pages/arcs.ts';
import type { ArcShape } from '#contract/pages/brand.ts';
import { ERROR_CODES, type ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { dateFormat, formatUtcTime } from '#contract/language.ts';
import { isCodePath, previewPathOf, type LinkKey } from '#contract/codes/link-key.ts';
import { PAGE_NOT_FOUND } from '#contract/pages/page-titles.ts';
import { isReservedKey } from '#contract/pages/reserved.ts';
import { escapeHtml } from '#worker/html.ts';
import { appOriginFrom, configuredOrigins } from './configured-origins.ts';
import { LOST_REASON, type EdgeRecord } from './edge-record.ts';
import { arcPicture, pageHeaders, renderHtmlPage } from './html-page.ts';
import type { SignInSettings } from './sign-in-settings.ts';
import { supportAddress } from './support-address.ts';

/**
 * Why `/{code}` does not redirect. `gone`: the link exists, but is disabled, deleted or expired.
 */
export type NoRedirect =
  | { why: 'not_yet'; startsAt: number }
  | { why: 'method' | 'limited' | 'down' }
  /** The host of the request belongs to a suspended domain. */
  | { why: 'suspended' }
  /** The request cannot pass the password or the click limit of the link. */
  | { why: 'password' | 'limit' }
  /** All clicks of the limit are used, or this one could not be counted. */
  | { why: 'reached' | 'uncounted' }
  /** `suggestion` is the code that the visitor may have meant. */
  | { why: 'unknown'; suggestion?: LinkKey | null }
  | { why: 'gone'; key: LinkKey; record: EdgeRecord };

/**
 * `action` is the text of the button that leads to the home page; `again` makes it load the page
 * again. `retryAfter` in seconds.
 */
type Message = {
  error: ErrorCode;
  title: string;
  text: string;
  action?: string;
  again?: true;
  retryAfter?: number;
};

type State = Exclude<NoRedirect['why'], 'gone'> | 'page' | 'deleted' | 'disabled' | 'expired';

const MESSAGES: Readonly<Record<State, Message>> = {
  unknown: {
    error: 'not_found',
    title: 'Link not found',
    text: 'Short links are case-sensitive. Check the spelling and try again.',
  },
  page: { error: 'not_found', ...PAGE_NOT_FOUND },
  deleted: {
    error: 'gone',
    title: 'This link has been deleted',
    text: 'It no longer leads anywhere, and nobody else can get its code.',
  },
  expired: {
    error: 'gone',
    title: 'This link has expired',
    text: 'Its owner set an end date, and that date has passed.',
  },
  not_yet: {
    error: 'not_found',
    title: 'This link has not started yet',
    text: 'Its owner set a start date. Come back then.',
  },
  password: {
    error: 'forbidden',
    title: 'This link needs a password',
    text: 'Open the link in a browser and enter its password to see where it leads.',
  },
  limit: {
    error: 'forbidden',
    title: 'This link can be opened a limited number of times',
    text: 'Open it in a browser to see where it leads. That uses it once.',
  },
  reached: {
    error: 'gone',
    title: 'This link has reached its limit',
    text: 'Its owner limited how many times it can be opened, and it has been opened that often.',
  },
  uncounted: {
    error: 'unavailable',
    title: 'Temporarily unavailable',
    text: 'This link can be opened a limited number of times, and we couldn’t count this time. Try again in a few seconds.',
    action: 'Try again',
    again: true,
    retryAfter: 5,
  },
  disabled: {
    error: 'gone',
    title: 'This link is disabled',
    text: 'It has been switched off and does not redirect at the moment.',
  },
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
    action: 'Try again',
    again: true,
    retryAfter: 5,
  },
  suspended: {
    error: 'gone',
    title: 'This domain is suspended',
    text: 'Its links do not redirect at the moment.',
  },
  method: {
    error: 'method_not_allowed',
    title: 'Method not allowed',
    text: 'Short links accept GET and HEAD only.',
  },
};

/** How the arc of the page's picture ends, by the error. */
const ARCS: Readonly<Partial<Record<ErrorCode, ArcShape>>> = {
  gone: ENDED_ARC,
  rate_limited: LOOPING_ARC,
  unavailable: LOOPING_ARC,
};

const longDate = dateFormat({ dateStyle: 'long', timeZone: 'UTC' });

type Settings = SignInSettings &
  Pick<Env, 'APP_ORIGIN' | 'SHORT_ORIGIN' | 'EXTRA_HOSTS' | 'SUPPORT_EMAIL' | 'ABUSE_EMAIL'>;

/**
 * The error page of a short link that does not redirect, or JSON if the client prefers it. Never
 * cached.
 */
export function errorPage(request: Request, env: Settings, reason: NoRedirect): Response {
  const known = MESSAGES[stateOf(reason, request.url)];
  const message =
    reason.why === 'not_yet' ? { ...known, title: startTitle(reason.startsAt) } : known;
  const status = ERROR_CODES[message.error];
  const nonce = crypto.randomUUID();
  const headers = pageHeaders(request, nonce);
  if (message.retryAfter !== undefined) headers.set('Retry-After', String(message.retryAfter));
  if (status === 405) headers.set('Allow', 'GET, HEAD');
  if (wantsJson(request)) {
    const body: ErrorBody = {
      error: toSentence(reason, message),
      code: message.error,
      requestId: nonce,
    };
    headers.set('Content-Type', 'application/json; charset=utf-8');
    return new Response(JSON.stringify(body), { status, headers });
  }
  const { app, short } = configuredOrigins(env);
  const appOrigin = appOriginFrom(env, request.url);
  const { host } = isOnDomain(keyOf(reason))
    ? new URL(request.url)
    : (short ?? app ?? new URL(request.url));
  const main =
    renderMain(reason, message, { appOrigin, host }) + renderSupport(supportAddress(env));
  return new Response(renderHtmlPage(env, { title: message.title, nonce, appOrigin, main }), {
    status,
    headers,
  });
}

export function wantsJson(request: Request): boolean {
  const accept = request.headers.get('Accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

function stateOf(reason: NoRedirect, url: string): State {
  if (reason.why === 'unknown') return mayBeCode(new URL(url).pathname) ? 'unknown' : 'page';
  if (reason.why !== 'gone') return reason.why;
  if (reason.record.s === 'x') return reason.record.r === LOST_REASON ? 'unknown' : 'deleted';
  return reason.record.s === 'd' ? 'disabled' : 'expired';
}

const startTitle = (startsAt: number): string => `This link starts on ${formatUtcTime(startsAt)}`;

/**
 * False for paths like '/dashboard/zzz' and '/login', which nobody means as a short link or its
 * preview (`+`).
 */
function mayBeCode(pathname: string): boolean {
  const code = pathname.slice(1).replace(/(?:\+|%2B)?\/?$/i, '');
  return isCodePath(code) && !isReservedKey(code);
}

/** The key of the link that the page names; '' if it names none. */
function keyOf(reason: NoRedirect): LinkKey {
  if (reason.why === 'gone') return reason.key;
  return reason.why === 'unknown' ? (reason.suggestion ?? '') : '';
}

/**
 * Why moderation has disabled the link. '' if its owner has disabled it, because then everyone gets
 * a neutral page.
 */
const disabledReasonOf = (reason: NoRedirect): string =>
  reason.why === 'gone' && reason.record.s === 'd' ? (reason.record.r ?? '') : '';

function toSentence(reason: NoRedirect, message: Message): string {
  const disabledReason = disabledReasonOf(reason);
  return disabledReason === '' ? `${message.title}.` : `${message.title}: ${disabledReason}`;
}

function renderMain(
  reason: NoRedirect,
  message: Message,
  { appOrigin, host }: { appOrigin: string; host: string },
): string {
  const disabledReason = disabledReasonOf(reason);
  const report =
    reason.why === 'gone' && reason.record.s === 'd'
      ? `<a href="${escapeHtml(appOrigin)}/report?code=${encodeURIComponent(reportedText(reason.key, host))}">${disabledReason === '' ? 'Report this link' : 'Report this link or ask for a review'}</a>`
      : '';
  return `${arcPicture(ARCS[message.error] ?? BROKEN_ARC)}
<p class="status code">${ERROR_CODES[message.error]}</p>
<h1>${escapeHtml(message.title)}</h1>
<p>${escapeHtml(message.text)}${renderEnd(reason)}</p>
${disabledReason === '' ? '' : `<p class="reason">Reason: ${escapeHtml(disabledReason)}</p>`}${renderSuggestion(reason, host)}
<p class="actions"><a class="button" href="${message.again ? '' : `${escapeHtml(appOrigin)}/`}">${message.action ?? 'Shorten a link'}</a>${report}</p>`;
}

/** The code, or on a domain the short URL without its scheme, which the report form shows. */
const reportedText = (key: LinkKey, host: string): string =>
  isOnDomain(key) ? `${host}/${splitKey(key).code}` : key;

/** When an expired link ended. */
const renderEnd = (reason: NoRedirect): string =>
  reason.why === 'gone' && reason.record.s === 'a'
    ? ` It was ${longDate(reason.record.e)} (UTC).`
    : '';

const isOnDomain = (key: LinkKey): boolean => splitKey(key).domain !== DEFAULT_DOMAIN;

/** Leads to the preview, because the visitor did not ask for this link. */
function renderSuggestion(reason: NoRedirect, host: string): string {
  if (reason.why !== 'unknown' || !reason.suggestion) return '';
  const { code } = splitKey(reason.suggestion);
  return `<p class="reason">Did you mean <a class="mono" href="${previewPathOf(code)}"><bdi dir="ltr">${escapeHtml(host)}/${code}</bdi></a>?<br><span class="status">You see where it leads before you go there.</span></p>`;
}

const renderSupport = (address: string): string =>
  address === ''
    ? ''
    : `\n<p class="support">Need help? Contact support at <a href="mailto:${address}">${address}</a>.</p>`;

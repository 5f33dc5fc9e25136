import { LOOPING_ARC } from '#contract/pages/arcs.ts';
import { LINK_PASSWORD_MAX } from '#contract/limits.ts';
import {
  LINK_PASSWORD_MESSAGES,
  LINK_PASSWORD_PAGE as PAGE,
} from '#worker/messages/link-password.ts';
import { appOriginFrom } from '#worker/redirect/configured-origins.ts';
import { arcPicture, pageHeaders, renderHtmlPage } from '#worker/redirect/html-page.ts';
import type { PasswordCheck } from './check-password.ts';

/** Why the page asks for the password: for the first time, or after a form. */
export type Asked = { result: 'first' | 'foreign' } | Exclude<PasswordCheck, { result: 'right' }>;

const SECONDS_IF_BUSY = 5;

const STATUS: Readonly<Record<Asked['result'], number>> = {
  first: 200,
  missing: 403,
  wrong: 403,
  foreign: 403,
  limited: 429,
  busy: 503,
};

const STYLE = `
form{display:grid;gap:8px;max-width:360px!important}
label{font-size:14px;font-weight:500}
input{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--ink-3);border-radius:8px;background:var(--surface);color:var(--ink);font:inherit}
input:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
form button{min-height:44px;margin-top:8px;padding:9px 20px;font:inherit;font-weight:500;cursor:pointer}
.error{margin:0;font-size:14px;color:light-dark(oklch(0.5 0.19 27),oklch(0.75 0.14 25))}
@media(forced-colors:active){form button{border-color:ButtonText}}
`;

/**
 * The page that asks for the password of a link. It works without a script, and nothing on it
 * depends on where the link leads. The form is sent to the address of the page, with its query.
 */
export function passwordPage(request: Request, env: Env, asked: Asked): Response {
  const nonce = crypto.randomUUID();
  // The policy also applies to the redirect after the form, which leads anywhere.
  const headers = pageHeaders(request, nonce, 'http: https:');
  headers.append('Vary', 'Cookie');
  if (asked.result === 'limited')
    headers.set('Retry-After', String(Math.ceil(asked.retryAfterMs / 1000)));
  if (asked.result === 'busy') headers.set('Retry-After', String(SECONDS_IF_BUSY));
  const error = messageOf(asked);
  const main = `${arcPicture(LOOPING_ARC)}
<h1>${PAGE.heading}</h1>
<p>${PAGE.intro}</p>
<form method="post"><label for="password">${PAGE.label}</label>
<input id="password" name="password" type="password" required maxlength="${LINK_PASSWORD_MAX}" autocomplete="off" autocapitalize="none" spellcheck="false" autofocus${error === '' ? '' : ' aria-invalid="true" aria-describedby="error"'}>
${error === '' ? '' : `<p class="error" id="error" role="alert">${error}</p>`}
<button class="button">${PAGE.open}</button></form>`;
  const appOrigin = appOriginFrom(env, request.url);
  const title = error === '' ? PAGE.title : PAGE.titleOfError;
  const html = renderHtmlPage(env, { title, nonce, appOrigin, style: STYLE, main });
  return new Response(html, { status: STATUS[asked.result], headers });
}

function messageOf(asked: Asked): string {
  if (asked.result === 'first') return '';
  return asked.result === 'limited'
    ? LINK_PASSWORD_MESSAGES.limited(asked.retryAfterMs)
    : LINK_PASSWORD_MESSAGES[asked.result];
}

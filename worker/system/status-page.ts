import { STATUS_PATH } from '#contract/pages/paths.ts';
import { statusKey } from '#worker/http/cache-keys.ts';
import { CACHE_SECONDS, publicReader, readPublic } from '#worker/http/edge-cache.ts';
import { isOnShortHost, originsOf } from '#worker/http/origins.ts';
import { DATA_POLICY, securityHeaders } from '#worker/http/security-headers.ts';
import { errorFacts, logEvent } from '#worker/log.ts';
import { STATUS_TEXTS, type StatusState } from '#worker/messages/status.ts';
import { errorPage, wantsJson } from '#worker/redirect/error-page.ts';
import { pageHeaders, renderHtmlPage } from '#worker/redirect/html-page.ts';
import { publicStatus, type PublicStatus } from './public-status.ts';
import { readFacts } from './read-facts.ts';
import { channelsOf } from './send-alert.ts';
import { evaluateSignals } from './signals.ts';

const WORST_FIRST: readonly StatusState[] = ['down', 'limited', 'unknown', 'works'];

/** The colors of the states, a copy of tokens from web/styles/theme.css. A test compares it. */
const STATUS_STYLE = `
:root{
--good:light-dark(oklch(0.47 0.12 152),oklch(0.79 0.14 152));
--warn:light-dark(oklch(0.5 0.11 65),oklch(0.81 0.13 78));
--bad:light-dark(oklch(0.51 0.19 27),oklch(0.75 0.15 24))}
.parts{margin:24px 0 16px;padding:0;list-style:none;border:1px solid var(--line);border-radius:12px;background:var(--surface)}
.parts li{display:flex;flex-wrap:wrap;gap:0 16px;align-items:baseline;padding:14px 20px}
.parts li+li{border-top:1px solid var(--line)}
.parts h2{flex:1;margin:0;font-size:16px;font-weight:500;line-height:24px}
.parts p{flex-basis:100%;margin:0;font-size:14px}
.state{font-size:14px;font-weight:500;color:var(--ink-3);white-space:nowrap}
.state::before{content:"";display:inline-block;width:8px;height:8px;margin-inline-end:8px;border-radius:50%;background:currentColor}
.state.works{color:var(--good)}.state.limited{color:var(--warn)}.state.down{color:var(--bad)}
`;

/**
 * `/status`: which parts of the product work, for everybody. 404 unless STATUS_PAGE is `on`. It is
 * read from storage once a minute for each data center. `now` in ms since 1970.
 */
export async function serveStatus(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  now: number,
): Promise<Response> {
  if (env.STATUS_PAGE !== 'on') return errorPage(request, env, { why: 'unknown' });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return errorPage(request, env, { why: 'method' });
  try {
    const origins = originsOf(env, request.url);
    if (isOnShortHost(env, request.url)) return redirectToApp(request, origins.app);
    const reader = publicReader(request, env, ctx, now);
    const read = await readPublic(reader, statusKey(origins), CACHE_SECONDS, () =>
      readStatus(env, now),
    );
    if (!read.ok || read.value === null) return errorPage(request, env, { why: 'limited' });
    return respond(request, env, origins.app, read.value);
  } catch (error) {
    logEvent('status_failed', errorFacts(error));
    return errorPage(request, env, { why: 'down' });
  }
}

async function readStatus(env: Env, now: number): Promise<PublicStatus> {
  const { facts } = await readFacts(env, now);
  return publicStatus(facts, evaluateSignals(facts), channelsOf(env).includes('mail'));
}

function redirectToApp(request: Request, appOrigin: string): Response {
  const headers = {
    ...securityHeaders(request.url, DATA_POLICY),
    Location: appOrigin + STATUS_PATH,
    'Cache-Control': 'no-store',
  };
  return new Response(null, { status: 302, headers });
}

function respond(
  request: Request,
  env: Env,
  appOrigin: string,
  { checkedAt, parts }: PublicStatus,
): Response {
  const worst =
    WORST_FIRST.find((state) => parts.some((found) => found.state === state)) ?? 'unknown';
  const nonce = crypto.randomUUID();
  const headers = pageHeaders(request, nonce);
  headers.set('Cache-Control', `public, max-age=${CACHE_SECONDS}`);
  if (wantsJson(request)) {
    headers.set('Content-Type', 'application/json; charset=utf-8');
    const states = Object.fromEntries(parts.map(({ part, state }) => [part, state]));
    const body = { status: worst, checked_at: new Date(checkedAt).toISOString(), parts: states };
    return new Response(JSON.stringify(body), { headers });
  }
  const { title, headings, states, parts: texts } = STATUS_TEXTS;
  const items = parts.map(
    ({ part, state }) =>
      `<li><h2>${texts[part].title}</h2> <span class="state ${state}">${states[state]}</span><p>${texts[part][state]}</p></li>`,
  );
  const main = `<p class="status">${title}</p>
<h1>${headings[worst]}</h1>
<ul class="parts">${items.join('\n')}</ul>
<p class="status">${STATUS_TEXTS.checkedAt(checkedAt)}</p>`;
  return new Response(renderHtmlPage(env, { title, nonce, appOrigin, style: STATUS_STYLE, main }), {
    headers,
  });
}

import { isPage, pageMeantBy, PAGES, PREFIXES, ROOT_FILES } from '#contract/paths.ts';
import { logEvent } from './log.ts';
import { isOnShortHost, httpsOriginFor } from '#worker/http/origins.ts';
import { redirect, redirectFromMemory, type Outlets } from '#worker/redirect/redirect.ts';

/** First path segments that may belong to the site; every other path is a link's, without further looking. */
const siteSegments: ReadonlySet<string> = new Set([...PREFIXES, ...ROOT_FILES, ...PAGES.map((page) => page.split('/')[1] ?? '')]);
const COLON = 58;
const wholeSegments: ReadonlySet<string> = new Set([...PREFIXES, ...ROOT_FILES]);

/** What the redirect needs now and then from slower code, imported when it does. */
const outlets: Outlets = {
  async fold(env, window, now) {
    const { foldWindows } = await import('#worker/clicks/consume.ts');
    await foldWindows(env.DB, [window], now);
  },
  async putBack(env, linkId, now) {
    const { publishLinks } = await import('#worker/links/publish.ts');
    await publishLinks(env, [linkId], now);
  },
  log: logEvent,
};

/**
 * Which door a request goes through: `/api` → the API, a known page or file → the site, `/{code}+` → the preview,
 * anything else → the redirect. A link this isolate remembers is answered first, for a reserved word is never a code.
 * Only the redirect's code is evaluated at start; the other doors are imported on their first use, so that
 * a cold redirect does not pay for them.
 */
export function handleRequest(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
  const { url } = request;
  // "http:" or "https:", told apart by one character because this runs on every redirect.
  if (url.charCodeAt(4) === COLON) {
    const secure = httpsOriginFor(env, url);
    if (secure !== null) return overHttps(request, secure);
  }
  const path = pathOf(url);
  const moved = redirectFromMemory(request, env, ctx, path, outlets);
  if (moved !== null) return moved;
  const end = path.indexOf('/', 1);
  const first = path.slice(1, end === -1 ? undefined : end);
  if (siteSegments.has(first)) {
    if (first === 'api' && !isOnShortHost(env, url)) return api(request, env, ctx);
    if (first === 'dev' && !isOnShortHost(env, url)) return mailbox(request, env);
    if (wholeSegments.has(first) || isPage(path) || pageMeantBy(path) !== null) return site(request, env, ctx);
  }
  if (path.endsWith('+')) return preview(request, env, ctx, path.slice(1, -1));
  return redirect(request, env, ctx, path, outlets);
}

async function overHttps(request: Request, secure: string): Promise<Response> {
  const { enforceHttps } = await import('#worker/http/enforce-https.ts');
  return enforceHttps(request, secure);
}

async function api(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { app } = await import('#worker/api/app.ts');
  return app.fetch(request, env, ctx);
}

async function site(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const { site: answer } = await import('#worker/site/site.ts');
  return answer(request, env, ctx);
}

async function preview(request: Request, env: Env, ctx: ExecutionContext, code: string): Promise<Response> {
  const { preview: answer } = await import('#worker/preview/preview.ts');
  return answer(request, env, ctx, code, Date.now());
}

async function mailbox(request: Request, env: Env): Promise<Response> {
  const { mailbox: answer } = await import('#worker/auth/mail/mailbox.ts');
  return answer(request, env);
}

/** The path of an absolute URL, without parsing the rest of it: this runs on every redirect. */
function pathOf(url: string): string {
  const start = url.indexOf('/', 8);
  if (start === -1) return '/';
  const query = url.indexOf('?', start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}

import { isPage, PREFIXES, ROOT_FILES } from '#contract/paths.ts';
import { hasShortHost } from '#worker/origins.ts';
import { redirect } from '#worker/redirect/redirect.ts';

const files: ReadonlySet<string> = new Set(ROOT_FILES);
const prefixes: ReadonlySet<string> = new Set(PREFIXES);

/**
 * Which door a request goes through: `/api` → the API, a known page or file → the site, anything else → the redirect.
 * Only the redirect's code is evaluated at start; the other doors are imported on their first use, so that
 * a cold redirect does not pay for them.
 */
export async function handleRequest(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
  const path = pathOf(request.url);
  const end = path.indexOf('/', 1);
  const first = path.slice(1, end === -1 ? undefined : end);
  if (first === 'api' && !hasShortHost(env, request.url)) {
    const { app } = await import('#worker/api/app.ts');
    return app.fetch(request, env, ctx);
  }
  if (first === 'dev') {
    const { mailbox } = await import('#worker/auth/mailbox.ts');
    return mailbox(request, env);
  }
  if (prefixes.has(first) || files.has(first) || isPage(path)) {
    const { site } = await import('#worker/site/site.ts');
    return site(request, env, ctx);
  }
  return redirect(request, env, ctx);
}

/** The path of an absolute URL, without parsing the rest of it: this runs on every redirect. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  if (start === -1) return '/';
  const query = url.indexOf('?', start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}

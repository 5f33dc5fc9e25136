import { PAGES, PREFIXES, ROOT_FILES } from '#contract/paths.ts';
import { logEvent } from '#worker/log.ts';

const knownSegments: ReadonlySet<string> = new Set([
  ...PREFIXES,
  ...ROOT_FILES,
  ...PAGES.map((page) => page.split('/')[1] ?? ''),
]);

/**
 * Logs a request once its response is known, and returns the response. For the sample of requests
 * that LOG_SAMPLE_RATE chooses; errors and lost clicks are logged where they happen, always. The
 * line has no code, no address and no query.
 */
export async function logRequest(
  request: Request,
  response: Response | Promise<Response>,
  startedAt: number,
): Promise<Response> {
  const answered = await response;
  const [, first = '', second = ''] = new URL(request.url).pathname.split('/', 3);
  const name = knownSegments.has(first) ? first : '{code}';
  logEvent('request', {
    method: request.method,
    route: first === 'api' ? `/api/${second}` : `/${name}`,
    status: answered.status,
    ms: Date.now() - startedAt,
  });
  return answered;
}

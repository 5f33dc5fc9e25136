import { PAGES, PREFIXES, ROOT_FILES } from '#contract/pages/paths.ts';
import { logEvent } from '#worker/log.ts';

const knownSegments: ReadonlySet<string> = new Set([
  ...PREFIXES,
  ...ROOT_FILES,
  ...PAGES.map((page) => page.split('/')[1] ?? ''),
]);

/**
 * Logs a request once its response is known, and returns the response. Callers log only the sample
 * that LOG_SAMPLE_RATE selects; errors and lost clicks are always logged where they occur. The log
 * line contains no code, address or query.
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

declare global {
  interface Window {
    /**
     * The responses that a member's page requested before the application started, by path
     * (web/prerender-pages.ts).
     */
    hopResponses?: Record<string, Promise<Response>> | undefined;
  }
}

/**
 * Returns the response that the page already requested, at most once. The time in a path is
 * ignored.
 */
export function takeEarlyResponse(path: string): Promise<Response> | undefined {
  const key = path.replace(/(\?t=)\d+$/, '$1');
  const response = window.hopResponses?.[key];
  delete window.hopResponses?.[key];
  return response;
}

/** How long in ms the page's components may take to request their data. */
const KEEP_MS = 1_000;

/** Drops the responses that no component requests soon, because they would be outdated. */
export function dropEarlyResponses(): void {
  setTimeout(() => {
    // An unread response would keep its connection open.
    for (const response of Object.values(window.hopResponses ?? {}))
      response.then(({ body }) => body?.cancel()).catch(() => undefined);
    window.hopResponses = undefined;
  }, KEEP_MS);
}

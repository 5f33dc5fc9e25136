declare global {
  interface Window {
    /**
     * What a member's page asked for before the application started, by path
     * (web/prerender-pages.ts).
     */
    hopResponses?: Record<string, Promise<Response>> | undefined;
  }
}

/**
 * The response that the page already asked for, at most once. The time in a path does not count.
 */
export function takeEarlyResponse(path: string): Promise<Response> | undefined {
  const key = path.replace(/(\?t=)\d+$/, '$1');
  const response = window.hopResponses?.[key];
  delete window.hopResponses?.[key];
  return response;
}

/** How long the components of the page have to ask for their data, in ms. */
const KEEP_MS = 1_000;

/** Drops the responses that nothing asks for soon: they are about to be out of date. */
export function dropEarlyResponses(): void {
  setTimeout(() => {
    // A response that nobody reads would keep its connection.
    for (const response of Object.values(window.hopResponses ?? {}))
      response.then(({ body }) => body?.cancel()).catch(() => undefined);
    window.hopResponses = undefined;
  }, KEEP_MS);
}

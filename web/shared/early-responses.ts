declare global {
  interface Window {
    /** What a member's page asked for before the application started, by path (web/prerender-pages.ts). */
    hopResponses?: Record<string, Promise<Response>> | undefined;
  }
}

/** The response that the page already asked for, at most once. The time in a path does not count. */
export function takeEarlyResponse(path: string): Promise<Response> | undefined {
  const key = path.replace(/(\?t=)\d+$/, '$1');
  const response = window.hopResponses?.[key];
  delete window.hopResponses?.[key];
  return response;
}

/** Drops the responses that nothing has used: they are about to be out of date. */
export function dropEarlyResponses(): void {
  window.hopResponses = undefined;
}

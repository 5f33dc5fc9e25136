/**
 * The part of `fetch` that is used. An argument, so that tests can answer in place of the
 * network.
 */
export type FetchFunction = (url: string, init?: RequestInit) => Promise<Response>;

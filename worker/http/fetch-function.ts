/**
 * The part of `fetch` that we use. It is passed as an argument, so that tests can replace the
 * network.
 */
export type FetchFunction = (url: string, init?: RequestInit) => Promise<Response>;

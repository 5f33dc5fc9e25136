/** `fetch`, as far as the checks of this folder use it: an argument, so that tests answer in its place. */
export type Fetcher = (url: string, init?: RequestInit) => Promise<Response>;

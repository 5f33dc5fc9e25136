import type { ErrorBody } from '#contract/errors.ts';
import { takeEarlyResponse } from './early-responses.ts';
import {
  accessToken,
  currentSession,
  refreshAccessToken,
  signedInAgain,
} from '#web/shared/session/session.ts';
import { OFFLINE } from '#web/ui/offline.ts';

const NETWORK_ERROR = 'We couldn’t reach the server. Check your connection and try again.';
const SERVER_ERROR = 'The server returned an error. Try again in a minute.';

/**
 * A failed API call. `status` is 0 if no response arrived. Fields are declared only, because Home
 * would load the code that defines them.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  declare readonly status: number;
  declare readonly body: Partial<ErrorBody>;
  /** The headers of the response; undefined without a response. */
  declare readonly headers: Headers | undefined;

  constructor(status: number, body: Partial<ErrorBody>, headers?: Headers) {
    super(body.error ?? (status === 0 ? NETWORK_ERROR : SERVER_ERROR));
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Returns the name of the request member that the server rejected, or ''. */
export const errorField = (error: unknown): string =>
  error instanceof RequestError ? (error.body.field ?? '') : '';

/** Whether an error about `path` belongs to `field`: one about `tags.2` belongs to `tags`. */
export const isErrorAt = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`);

/** Returns the error's stable code, or '' if the server sent none. */
export const errorCode = (error: unknown): string =>
  error instanceof RequestError ? (error.body.code ?? '') : '';

export type ApiOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

/**
 * Calls the API and returns the parsed body: `api<MyLinksResponse>('/api/my-urls')`. Sends the
 * member's access token and `x-user-id`, which the server ignores but the API documents. After a
 * 401 it refreshes the token and tries once more. Throws `RequestError` for any response that is
 * not 2xx.
 */
export async function api<T = unknown>(path: string, options: ApiOptions = {}): Promise<T> {
  const response = await request(path, options);
  const text = await response.text();
  return JSON.parse(text === '' ? 'null' : text);
}

/** Like `api`, for text responses. */
export async function apiText(path: string, options: ApiOptions = {}): Promise<string> {
  return (await request(path, options)).text();
}

/**
 * One page of a list. `next` is the path of the next page, from the `Link: <…>; rel="next"` header,
 * or null on the last page.
 */
export type ApiPage<T> = { body: T; next: string | null };

/** Like `api`, for paginated lists. */
export async function apiPage<T>(path: string, options: ApiOptions = {}): Promise<ApiPage<T>> {
  const response = await request(path, options);
  const next = /<(\/[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  return { body: await response.json(), next };
}

/** A response body with its ETag, or '' if the server sent none. */
export type WithETag<T> = { body: T; etag: string };

/**
 * Like `api`, for data that is polled. Returns the same object `known` if the server answers 304.
 */
export async function apiIfChanged<T>(
  path: string,
  known: WithETag<T> | undefined,
  options: ApiOptions = {},
): Promise<WithETag<T>> {
  const headers = known === undefined || known.etag === '' ? {} : { 'if-none-match': known.etag };
  const response = await request(path, { ...options, headers: { ...options.headers, ...headers } });
  if (response.status === 304 && known !== undefined) return known;
  return { body: await response.json(), etag: response.headers.get('etag') ?? '' };
}

const SESSION_ENDED = 'Your session has ended, so this was not sent.';

/** A member's request is never sent without a token: the server would take it for a visitor's. */
async function request(path: string, options: ApiOptions): Promise<Response> {
  const isMember = currentSession().status === 'member';
  const token = await orNoResponse(accessToken());
  let response = isMember && token === null ? null : await send(path, options, token);
  if (isMember && (response === null || response.status === 401)) {
    const fresh = response === null ? null : await orNoResponse(refreshAccessToken());
    if (fresh !== null) response = await send(path, options, fresh);
    else
      response = (await signedInAgain(options.method !== undefined))
        ? await send(path, options, await orNoResponse(accessToken()))
        : null;
  }
  if (response === null) throw new RequestError(401, { error: SESSION_ENDED });
  if (response.ok || response.status === 304) return response;
  const body: unknown = await response.json().catch(() => null);
  throw new RequestError(response.status, isErrorBody(body) ? body : {}, response.headers);
}

/** Fails like a request without a response if the sign-in service or its code is out of reach. */
const orNoResponse = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch(() => {
    throw noResponse(navigator.onLine);
  });

/** A request that was never sent, because the browser was offline, can safely be sent again. */
const noResponse = (wasOnline: boolean): RequestError =>
  new RequestError(0, wasOnline ? {} : { error: OFFLINE });

async function send(path: string, options: ApiOptions, token: string | null): Promise<Response> {
  const headers = new Headers(options.headers);
  const session = currentSession();
  const wasOnline = navigator.onLine;
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (session.status === 'member') headers.set('x-user-id', session.id);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  const early = options.method === undefined ? takeEarlyResponse(path) : undefined;
  try {
    if (early !== undefined) return await early;
    return await fetch(path, {
      method: options.method ?? 'GET',
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
    });
  } catch (cause) {
    if (options.signal?.aborted === true) throw cause;
    throw noResponse(wasOnline);
  }
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';

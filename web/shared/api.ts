import type { ErrorBody } from '#contract/errors.ts';
import { accessToken, currentSession, refreshAccessToken } from './session.ts';

/** Why a call failed. `status` 0: the network, not the server, said no. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: Partial<ErrorBody>;

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.error ?? (status === 0 ? 'The network did not answer.' : 'The server could not answer.'));
    this.status = status;
    this.body = body;
  }
}

export type ApiOptions = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
};

/**
 * One call of the product's API: `api<MyLinksResponse>('/api/my-urls')`. Sends the member's token and, as the spec has it,
 * `x-user-id` (which the server ignores); a 401 is tried once more with a fresh token.
 * Throws `ApiError` on anything but a 2xx.
 */
export async function api<T>(path: string, options: ApiOptions = {}): Promise<T> {
  const response = await ask(path, options);
  return response.json().catch(() => null);
}

/** As `api`, for answers that are text. */
export async function apiText(path: string): Promise<string> {
  return (await ask(path, {})).text();
}

/** A part of a long list, and the path of the next part: what the answer's `Link: <…>; rel="next"` says, else null. */
export type ListPart<T> = { body: T; next: string | null };

/** As `api`, for lists that come in parts. */
export async function apiPage<T>(path: string, options: ApiOptions = {}): Promise<ListPart<T>> {
  const response = await ask(path, options);
  const next = /<(\/[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
  return { body: await response.json(), next };
}

/** An answer with the tag that names its version; '' where the server gave none. */
export type Tagged<T> = { body: T; tag: string };

/** As `api`, for what is asked again and again: where the server still has the version `known`, that very object comes back. */
export async function apiIfChanged<T>(path: string, known: Tagged<T> | undefined, options: ApiOptions = {}): Promise<Tagged<T>> {
  const headers = known === undefined || known.tag === '' ? {} : { 'if-none-match': known.tag };
  const response = await ask(path, { ...options, headers: { ...options.headers, ...headers } });
  if (response.status === 304 && known !== undefined) return known;
  return { body: await response.json(), tag: response.headers.get('etag') ?? '' };
}

async function ask(path: string, options: ApiOptions): Promise<Response> {
  const first = await send(path, options, await accessToken());
  const again = first.status === 401 && currentSession().status === 'member' ? await refreshAccessToken().catch(() => null) : null;
  const response = again === null ? first : await send(path, options, again);
  if (response.ok || response.status === 304) return response;
  const body: unknown = await response.json().catch(() => null);
  throw new ApiError(response.status, isErrorBody(body) ? body : {});
}

async function send(path: string, options: ApiOptions, token: string | null): Promise<Response> {
  const headers = new Headers(options.headers);
  const session = currentSession();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (session.status === 'member') headers.set('x-user-id', session.id);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  try {
    return await fetch(path, {
      method: options.method ?? 'GET',
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
    });
  } catch (cause) {
    if (options.signal?.aborted === true) throw cause;
    throw new ApiError(0, {});
  }
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';

import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

export type ApiLink = components['schemas']['Link'];
export type LinkBody = components['schemas']['LinkInput'];
export type ApiDomain = components['schemas']['Domain'];
export type ApiMe = components['schemas']['Me'];
export type ApiProblem = components['schemas']['Problem'];

export type HopClient = Client<paths, 'application/json'>;

/**
 * Creates a client of the public API at `origin`. Its types are generated from the OpenAPI document
 * (`npm run client`).
 */
export const createClient = (origin: string, key: string): HopClient =>
  createFetchClient<paths>({
    baseUrl: `${origin}/api/v1`,
    headers: { Authorization: `Bearer ${key}` },
  });

/**
 * The request failed or got no response. `problem` is null if the response is not one of the API's.
 */
export class RequestFailed extends Error {
  readonly problem: ApiProblem | null;
  /** Seconds to wait before another attempt; null if the response does not say. */
  readonly retryAfter: number | null;
  constructor(message: string, problem: ApiProblem | null, retryAfter: number | null = null) {
    super(message);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

type Answer<Data> = { data?: Data; error?: unknown; response: Response };

/** Waits for a successful response and returns its body. Throws RequestFailed. */
export const dataOf = async <Data>(asked: Promise<Answer<Data>>): Promise<Data> =>
  (await answerOf(asked)).data;

/** Like `dataOf`, but also returns the response for its headers. */
export async function answerOf<Data>(
  asked: Promise<Answer<Data>>,
): Promise<{ data: Data; response: Response }> {
  const { data, error, response } = await reached(asked);
  if (response.ok && data !== undefined) return { data, response };
  throw failureOf(error, response);
}

/** Waits for a successful response without a body. Throws RequestFailed. */
export async function done(asked: Promise<Answer<unknown>>): Promise<void> {
  const { error, response } = await reached(asked);
  if (!response.ok) throw failureOf(error, response);
}

async function reached<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    throw new RequestFailed(
      `The server could not be reached${cause}. Check the address and your connection.`,
      null,
    );
  }
}

function failureOf(error: unknown, response: Response): RequestFailed {
  if (!isProblem(error))
    return new RequestFailed(
      `The server answered with status ${response.status}. Is it Hop?`,
      null,
    );
  const parts = (error.errors ?? [])
    .map(({ detail }) => detail)
    .filter((detail) => detail !== error.detail);
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new RequestFailed(
    [error.detail, ...parts].join('\n'),
    error,
    Number.isFinite(seconds) ? seconds : null,
  );
}

const isProblem = (value: unknown): value is ApiProblem =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  'detail' in value &&
  typeof value.detail === 'string';

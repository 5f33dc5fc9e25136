import { DeployError } from './environment.ts';

/** The platform's API responded with an error. */
export class PlatformError extends Error {
  readonly status: number;
  readonly code: number;
  /** How long the platform asks to wait, or null if it does not limit the requests. */
  retryAfterMs: number | null = null;
  constructor(what: string, status: number, code: number, message: string) {
    super(`${what}: ${message} (HTTP ${status}, code ${code})`);
    this.status = status;
    this.code = code;
  }
}

type Envelope<T> = {
  success?: boolean;
  result: T;
  result_info?: { per_page?: number; total_count?: number };
  errors?: { code: number; message: string }[];
};

/** A client of the platform's HTTP API. Read-only requests are tried three times. */
export type Platform = {
  read: <T>(path: string) => Promise<T>;
  /**
   * Returns the result, or null if the API responds with 404, or with 403 because the login may not
   * read it.
   */
  readOrNull: <T>(path: string) => Promise<T | null>;
  list: <T>(path: string) => Promise<T[]>;
  write: <T>(method: 'POST' | 'DELETE', path: string, body?: unknown) => Promise<T>;
};

/** The API below an account: `list('/queues')` lists its queues. */
export type Account = Platform & { id: string; platform: Platform };

export function accountOf(platform: Platform, id: string): Account {
  const below = (path: string): string => `/accounts/${id}${path}`;
  return {
    id,
    platform,
    read: (path) => platform.read(below(path)),
    readOrNull: (path) => platform.readOrNull(below(path)),
    list: (path) => platform.list(below(path)),
    write: (method, path, body) => platform.write(method, below(path), body),
  };
}

const TRIES = 3;
/**
 * Over 1,200 requests in 5 minutes, the platform answers 429 for the next 5
 * (https://developers.cloudflare.com/fundamentals/api/reference/limits/).
 */
const LIMIT_PERIOD_MS = 5 * 60_000;

const readRetryAfter = ({ status, headers }: Response): number | null =>
  status === 429 ? Number(headers.get('retry-after') ?? LIMIT_PERIOD_MS / 1000) * 1000 : null;

/** Proxies send error pages that are not JSON. A success may have no body. */
function jsonOf({ ok }: Response, text: string): string {
  if (ok && text === '') return '{"result":null}';
  return text.startsWith('{') ? text : '{"success":false}';
}

/** `wait` passes the time that the platform asks for when it limits the requests. */
export function connect(
  base: string,
  token: string,
  wait: (ms: number) => Promise<unknown>,
): Platform {
  async function send<T>(method: string, path: string, body?: unknown): Promise<Envelope<T>> {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const envelope: Envelope<T> = JSON.parse(jsonOf(response, await response.text()));
    if (response.ok && envelope.success !== false) return envelope;
    const [error = { code: 0, message: response.statusText }] = envelope.errors ?? [];
    const failure = new PlatformError(
      `${method} ${path}`,
      response.status,
      error.code,
      error.message,
    );
    failure.retryAfterMs = readRetryAfter(response);
    throw failure;
  }

  /** A request over the limit was not done, so even a write is sent again, once. */
  async function sendWithinLimit<T>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Envelope<T>> {
    try {
      return await send<T>(method, path, body);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.retryAfterMs === null) throw error;
      await wait(Math.min(error.retryAfterMs, LIMIT_PERIOD_MS));
      return await send<T>(method, path, body);
    }
  }

  async function get<T>(path: string): Promise<Envelope<T>> {
    for (let left = TRIES - 1; ; left--) {
      try {
        return await sendWithinLimit<T>('GET', path);
      } catch (error) {
        const isFinal = error instanceof PlatformError && error.status < 500;
        if (isFinal) throw error;
        if (left === 0) throw error instanceof PlatformError ? error : unreachable(base, error);
      }
    }
  }

  const read = async <T>(path: string): Promise<T> => (await get<T>(path)).result;
  return {
    read,
    async readOrNull<T>(path: string) {
      try {
        return await read<T>(path);
      } catch (error) {
        if (error instanceof PlatformError && (error.status === 404 || error.status === 403))
          return null;
        throw error;
      }
    },
    async list<T>(path: string) {
      const found: T[] = [];
      for (let page = 1; ; page++) {
        const { result, result_info } = await get<T[]>(
          `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=50`,
        );
        found.push(...result);
        if (page * (result_info?.per_page ?? Infinity) >= (result_info?.total_count ?? 0))
          return found;
      }
    },
    async write<T>(method: 'POST' | 'DELETE', path: string, body?: unknown) {
      return (await sendWithinLimit<T>(method, path, body)).result;
    },
  };
}

const unreachable = (base: string, error: unknown): DeployError =>
  new DeployError(
    `${new URL(base).host} could not be reached. Check the connection and try again. (${String(error)})`,
  );

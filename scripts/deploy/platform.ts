import { DeployError } from './environment.ts';

/**
 * The permission that each part of the API needs, by the name that it has in the dashboard
 * (https://developers.cloudflare.com/fundamentals/api/reference/permissions/).
 */
const PERMISSIONS: [path: RegExp, permission: string][] = [
  [/\/d1\//, 'D1 (Edit)'],
  [/\/storage\/kv\//, 'Workers KV Storage (Edit)'],
  [/\/queues/, 'Queues (Edit)'],
  [/\/r2\//, 'Workers R2 Storage (Edit)'],
  [/\/workers\//, 'Workers Scripts (Edit)'],
  [/\/subscriptions/, 'Billing (Read)'],
  [/\/dns_records/, 'DNS (Read)'],
  [/\/zones/, 'Zone (Read)'],
  [/\/accounts/, 'Account Settings (Read)'],
];
const TOKENS = 'https://dash.cloudflare.com/profile/api-tokens';
/** The codes of a login without the permission. */
const FORBIDDEN = new Set([9109, 10000]);
/**
 * A malformed token (https://github.com/cloudflare/workers-sdk/issues/15616), and one that is wrong
 * or has expired (https://github.com/cloudflare/workers-sdk/issues/4551).
 */
const isInvalidLogin = (status: number, code: number, message: string): boolean =>
  status === 401 || code === 6003 || message.startsWith('Invalid access token');

/** The platform's API responded with an error. */
export class PlatformError extends DeployError {
  readonly status: number;
  readonly code: number;
  /** True if the login has no permission for the request. */
  readonly isForbidden: boolean;
  /** How long the platform asks to wait, or null if it does not limit the requests. */
  retryAfterMs: number | null = null;
  constructor(what: string, status: number, code: number, message: string) {
    const isInvalid = isInvalidLogin(status, code, message);
    const isForbidden = !isInvalid && status === 403 && (FORBIDDEN.has(code) || code === 0);
    const advice = isInvalid ? INVALID : isForbidden ? adviceFor(what) : '';
    super(`${what}: ${message} (HTTP ${status}, code ${code})${advice}`);
    this.status = status;
    this.code = code;
    this.isForbidden = isForbidden;
  }
}

const INVALID = `. The login is not valid: run \`npx wrangler login\`, or make a new token at ${TOKENS}.`;

function adviceFor(what: string): string {
  const permission = PERMISSIONS.find(([path]) => path.test(what))?.[1];
  return permission === undefined
    ? ''
    : `. The login lacks the permission ${permission}. Add it to the token at ${TOKENS}, or run \`npx wrangler login\`.`;
}

type Envelope<T> = {
  success?: boolean;
  result: T;
  result_info?: { per_page?: number; total_count?: number; cursor?: string };
  errors?: { code: number; message: string }[];
};

type Headers = Readonly<Record<string, string>>;

/** A client of the platform's HTTP API. Read-only requests are tried three times. */
export type Platform = {
  read: <T>(path: string) => Promise<T>;
  /**
   * Returns the result, or null if the API responds with 404, or with 403 because the login may not
   * read it.
   */
  readOrNull: <T>(path: string, headers?: Headers) => Promise<T | null>;
  list: <T>(path: string) => Promise<T[]>;
  /** Returns the text of an object in a bucket, or null if there is none. */
  readText: (path: string, headers?: Headers) => Promise<string | null>;
  writeText: (path: string, text: string, headers?: Headers) => Promise<void>;
  /** Lists what is paged with a cursor, as the keys of KV are. `path` has a query. */
  listByCursor: <T>(path: string) => Promise<T[]>;
  write: <T>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Headers,
  ) => Promise<T>;
};

/** The API below an account: `list('/queues')` lists its queues. */
export type Account = Platform & { id: string; platform: Platform };

export function accountOf(platform: Platform, id: string): Account {
  const below = (path: string): string => `/accounts/${id}${path}`;
  return {
    id,
    platform,
    read: (path) => platform.read(below(path)),
    readOrNull: (path, headers) => platform.readOrNull(below(path), headers),
    readText: (path, headers) => platform.readText(below(path), headers),
    writeText: (path, text, headers) => platform.writeText(below(path), text, headers),
    list: (path) => platform.list(below(path)),
    listByCursor: (path) => platform.listByCursor(below(path)),
    write: (method, path, body, headers) => platform.write(method, below(path), body, headers),
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
  async function send<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Headers = {},
  ): Promise<Envelope<T>> {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...headers,
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
    headers?: Headers,
  ): Promise<Envelope<T>> {
    try {
      return await send<T>(method, path, body, headers);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.retryAfterMs === null) throw error;
      await wait(Math.min(error.retryAfterMs, LIMIT_PERIOD_MS));
      return await send<T>(method, path, body, headers);
    }
  }

  async function get<T>(path: string, headers?: Headers): Promise<Envelope<T>> {
    for (let left = TRIES - 1; ; left--) {
      try {
        return await sendWithinLimit<T>('GET', path, undefined, headers);
      } catch (error) {
        const isFinal = error instanceof PlatformError && error.status < 500;
        if (isFinal) throw error;
        if (left === 0) throw error instanceof PlatformError ? error : unreachable(base, error);
      }
    }
  }

  const sendText = (
    method: 'GET' | 'PUT',
    path: string,
    headers: Headers,
    more: { body?: string } = {},
  ): Promise<Response> =>
    fetch(base + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...more,
      signal: AbortSignal.timeout(60_000),
    });

  const read = async <T>(path: string): Promise<T> => (await get<T>(path)).result;
  return {
    read,
    async readOrNull<T>(path: string, headers?: Headers) {
      try {
        return (await get<T>(path, headers)).result;
      } catch (error) {
        if (error instanceof PlatformError && (error.status === 404 || error.status === 403))
          return null;
        throw error;
      }
    },
    async readText(path: string, headers: Headers = {}) {
      const response = await sendText('GET', path, headers);
      if (response.ok) return await response.text();
      if (response.status === 404) return null;
      throw new PlatformError(`GET ${path}`, response.status, 0, response.statusText);
    },
    async writeText(path: string, text: string, headers: Headers = {}) {
      const { ok, status, statusText } = await sendText('PUT', path, headers, { body: text });
      if (!ok) throw new PlatformError(`PUT ${path}`, status, 0, statusText);
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
    async listByCursor<T>(path: string) {
      const found: T[] = [];
      for (let cursor = ''; ;) {
        const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { result, result_info } = await get<T[]>(path + next);
        found.push(...result);
        cursor = result_info?.cursor ?? '';
        if (cursor === '') return found;
      }
    },
    async write<T>(
      method: 'POST' | 'PUT' | 'DELETE',
      path: string,
      body?: unknown,
      headers?: Headers,
    ) {
      return (await sendWithinLimit<T>(method, path, body, headers)).result;
    },
  };
}

const unreachable = (base: string, error: unknown): DeployError =>
  new DeployError(
    `${new URL(base).host} could not be reached. Check the connection and try again. (${String(error)})`,
  );

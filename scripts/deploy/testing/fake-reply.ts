import type { FakeAccount } from './fake-account.ts';

export type Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  type: string;
  /** The jurisdiction of the bucket that the request means; empty for none. */
  jurisdiction: string;
  body: Buffer;
};
export type Reply = {
  /** The body of a reply that is not an envelope. */
  text?: string;
  /** True for a response without a body. */
  isEmpty?: boolean;
  status?: number;
  result?: unknown;
  result_info?: unknown;
  errors?: { code: number; message: string }[];
};
export type Route = [
  method: string,
  path: string,
  reply: (account: FakeAccount, names: string[], request: Request) => Reply | Promise<Reply>,
];

export const ACCOUNT = '/accounts/[^/]+';

/**
 * Returns the page that `query` asks for, of 20 entries unless it says otherwise and of 50 at most,
 * as the list of zones has it
 * (https://developers.cloudflare.com/api/resources/zones/methods/list/).
 */
export function list(all: readonly unknown[], query = new URLSearchParams()): Reply {
  const page = Number(query.get('page') ?? 1);
  const per_page = Math.min(Number(query.get('per_page') ?? 20), 50);
  const result = query.has('page') ? all.slice((page - 1) * per_page, page * per_page) : all;
  return {
    result,
    result_info: {
      page,
      per_page,
      count: result.length,
      total_count: all.length,
      total_pages: Math.ceil(all.length / per_page),
    },
  };
}

/**
 * The answer to a login without the permission
 * (https://developers.cloudflare.com/fundamentals/api/troubleshooting/).
 */
export const FORBIDDEN: Reply = {
  status: 403,
  errors: [{ code: 10000, message: 'Authentication error' }],
};

/**
 * A success without a body, with which the platform may answer a deletion: its own SDK asks for any
 * content and reads none
 * (https://app.unpkg.com/cloudflare@5.2.0/files/resources/workers/domains.js).
 */
export const EMPTY: Reply = { status: 200, isEmpty: true };

export const json = (request: Request) => JSON.parse(request.body.toString() || '{}');

export const notFound = (code: number, message: string): Reply => ({
  status: 404,
  errors: [{ code, message }],
});

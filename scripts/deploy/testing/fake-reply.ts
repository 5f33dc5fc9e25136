import type { FakeAccount } from './fake-account.ts';

export type Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  type: string;
  body: Buffer;
};
export type Reply = {
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
 * A success without a body, with which the platform may answer a deletion: its own SDK asks for any
 * content and reads none (https://app.unpkg.com/cloudflare@5.2.0/files/resources/workers/domains.js).
 */
export const EMPTY: Reply = { status: 200, isEmpty: true };

export const list = (result: unknown[]): Reply => ({
  result,
  result_info: {
    page: 1,
    per_page: 100,
    count: result.length,
    total_count: result.length,
    total_pages: 1,
  },
});

export const json = (request: Request) => JSON.parse(request.body.toString() || '{}');

export const notFound = (code: number, message: string): Reply => ({
  status: 404,
  errors: [{ code, message }],
});

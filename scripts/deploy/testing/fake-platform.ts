/**
 * A local HTTP server that implements the part of the platform's API that a deployment uses, for
 * the real wrangler and our own client. Databases are SQLite in memory, so migrations and queries
 * really run.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { FakeAccount } from './fake-account.ts';
import type { Reply } from './fake-reply.ts';
import { LIMITED, RateLimit } from './fake-rate-limit.ts';
import { answer } from './fake-routes.ts';

export type FakePlatform = Awaited<ReturnType<typeof startFakePlatform>>;

/** Starts the platform with one empty account that owns `zones`. */
export async function startFakePlatform(zones: readonly string[] = ['example.com']) {
  const account = new FakeAccount(zones);
  /** `METHOD /path` of every write, and of every request that the fake does not know. */
  const writes: string[] = [];
  const unknown: string[] = [];
  const limit = new RateLimit();
  let breaksAfter = Infinity;
  let refusesAt = Infinity;
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const method = request.method ?? 'GET';
      const url = new URL(request.url ?? '/', 'http://platform');
      const path = url.pathname.replace(/^\/client\/v4/, '');
      const retryAfter = limit.spend(1);
      if (retryAfter > 0)
        return void response
          .writeHead(429, { 'content-type': 'application/json', 'retry-after': String(retryAfter) })
          .end(JSON.stringify({ success: false, result: null, errors: [LIMITED] }));
      if (method !== 'GET' && !path.endsWith('/query') && writes.length + 1 === refusesAt) {
        refusesAt = Infinity;
        return void response.writeHead(503).end('Service Unavailable');
      }
      const reply = await answer(account, {
        method,
        path,
        query: url.searchParams,
        type: request.headers['content-type'] ?? '',
        jurisdiction: String(request.headers['cf-r2-jurisdiction'] ?? ''),
        body,
      });
      if (method !== 'GET' && reply !== null && !path.endsWith('/query'))
        writes.push(`${method} ${path}`);
      if (reply === null) unknown.push(`${method} ${path}`);
      if (method !== 'GET' && writes.length === breaksAfter) {
        breaksAfter = Infinity;
        return void response.destroy();
      }
      const {
        status = 200,
        isEmpty = false,
        text,
        ...envelope
      }: Reply = reply ?? {
        status: 404,
        errors: [{ code: 7003, message: `No route ${method} ${path}` }],
      };
      const isOk = status < 400;
      response.writeHead(status, { 'content-type': 'application/json' });
      if (text !== undefined) return void response.end(text);
      if (isEmpty) return void response.end();
      response.end(
        JSON.stringify({ success: isOk, result: null, errors: [], messages: [], ...envelope }),
      );
    });
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    account,
    writes,
    unknown,
    limit,
    /**
     * Breaks the connection after the `at`th write from now: the write succeeds, but its response
     * is lost.
     */
    breakAfterWrite: (at: number) => void (breaksAfter = writes.length + at),
    /** Answers the `at`th write from now with 503 and does not do it. */
    refuseWrite: (at: number) => void (refusesAt = writes.length + at),
    /** The environment variables with which commands use this platform. */
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'a-token-of-the-tests',
      CLOUDFLARE_ACCOUNT_ID: undefined,
    },
    stop: () =>
      new Promise<void>((done) => void (server.closeAllConnections(), server.close(() => done()))),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  return Buffer.concat(chunks);
}

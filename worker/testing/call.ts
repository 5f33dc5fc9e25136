import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import worker from '#worker/index.ts';

export const ORIGIN = 'http://localhost:8787';
/** A copy, because each read of a member of `env` is slow. */
const BINDINGS = { ...env };

/**
 * Sends a request to the Worker's `fetch` with the real local bindings, and waits for its
 * `waitUntil` work. `overrides` replaces bindings and variables. `json` is a JSON body, sent with
 * POST unless `method` says otherwise.
 */
export async function call(
  path: string,
  init: RequestInit & { json?: unknown } = {},
  overrides: Partial<Env> = {},
): Promise<Response> {
  const { json, ...rest } = init;
  const headers = new Headers(rest.headers);
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  const body =
    json === undefined ? {} : { method: rest.method ?? 'POST', body: JSON.stringify(json) };
  const request = new Request(path.startsWith('http') ? path : ORIGIN + path, {
    redirect: 'manual',
    ...rest,
    ...body,
    headers,
  });
  const ctx = createExecutionContext();
  const response = await worker.fetch(request, { ...BINDINGS, ...overrides }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import worker from '#worker/index.ts';

export const ORIGIN = 'http://localhost:8787';

/**
 * Sends a request through the Worker's own entry, with the real local bindings; `overrides` replaces some
 * (a faulty KV, another variable). Waits for `waitUntil` work. `json` is a shorthand for a JSON POST body.
 */
export async function call(
  path: string,
  init: RequestInit & { json?: unknown } = {},
  overrides: Partial<Env> = {},
): Promise<Response> {
  const { json, ...rest } = init;
  const headers = new Headers(rest.headers);
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  const body = json === undefined ? {} : { method: rest.method ?? 'POST', body: JSON.stringify(json) };
  const request = new Request(path.startsWith('http') ? path : ORIGIN + path, { redirect: 'manual', ...rest, ...body, headers });
  const ctx = createExecutionContext();
  const response = await worker.fetch(request, { ...env, ...overrides }, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

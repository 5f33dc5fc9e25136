import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { run } from '#cli/run.ts';

export const ORIGIN = 'https://hop.example';
export const KEY = 'hop_live_of_the_tests';

type Sent = {
  call: string;
  body: unknown;
  authorization: string | null;
  idempotencyKey: string | null;
  ifMatch: string | null;
  redirect: string;
};
/** Answers a call such as `GET /me?x=1` of the public API. */
export type Server = (call: string, body: unknown, headers: Headers) => Response;

export const problem = (
  status: number,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): Response => Response.json({ code, title: code, detail, status }, { status, headers });

/**
 * Runs `hop …argv` against `server`, logged in unless `env` says otherwise. Returns its exit code,
 * what it printed and what it sent.
 */
export async function hop(
  argv: readonly string[],
  server: Server = () => problem(500, 'internal', 'The test expects no request.'),
  env: Record<string, string> = { HOP_URL: ORIGIN, HOP_API_KEY: KEY },
) {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { origin, pathname, search } = new URL(request.url);
    const body: unknown = request.body === null ? null : await request.json();
    const call = `${request.method} ${(origin + pathname).replace(`${ORIGIN}/api/v1`, '')}${search}`;
    const { headers, redirect } = request;
    sent.push({
      call,
      body,
      authorization: headers.get('Authorization'),
      idempotencyKey: headers.get('Idempotency-Key'),
      ifMatch: headers.get('If-Match'),
      redirect,
    });
    return server(call, body, headers);
  });
  const [out, err]: [string[], string[]] = [[], []];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)));
  const error = vi
    .spyOn(console, 'error')
    .mockImplementation((line) => void err.push(String(line)));
  const home = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'hop-')) };
  try {
    const code = await run(argv, { ...home, ...env }, '1.2.3');
    return { code, out: out.join('\n'), err: err.join('\n'), sent };
  } finally {
    log.mockRestore();
    error.mockRestore();
    vi.unstubAllGlobals();
  }
}

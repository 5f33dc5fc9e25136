/** The hot path. */
export function redirect(_request: Request, _env: Env, _ctx: ExecutionContext): Response {
  return new Response('Not found', { status: 404 });
}

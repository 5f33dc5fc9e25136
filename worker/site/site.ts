export async function site(request: Request, env: Env, _ctx: ExecutionContext): Promise<Response> {
  return env.ASSETS.fetch(request);
}

export async function preview(_request: Request, _env: Env, _code: string): Promise<Response> {
  return new Response(null, { status: 404 });
}

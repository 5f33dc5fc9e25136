import { OPENAPI_FILE, OPENAPI_ORIGIN } from '#contract/v1.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';

const SHELL = `<!doctype html><html lang="en"><head><meta charset="utf-8"><!--hop:head--><script nonce="__NONCE__">1</script></head><body><div id="root"></div></body></html>`;

/** The assets binding of a deployment that has been built: the shell at "/", one icon and the OpenAPI document. For tests that run without a build. */
export const builtAssets: Pick<Env, 'ASSETS'> = {
  ASSETS: {
    fetch: async (input: RequestInfo | URL) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname === '/') return new Response(SHELL, { headers: { 'Content-Type': 'text/html', ETag: '"built"' } });
      if (pathname === '/index.html') return new Response(null, { status: 307, headers: { Location: '/' } });
      if (pathname === '/favicon.svg')
        return new Response('<svg/>', { headers: { 'Content-Type': 'image/svg+xml', ETag: '"icon"' } });
      if (pathname === OPENAPI_FILE) return Response.json(openApiDocument(OPENAPI_ORIGIN));
      return new Response(null, { status: 404 });
    },
    connect: () => {
      throw new Error('The assets are not connected to.');
    },
  },
};

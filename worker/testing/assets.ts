import { BUILT_ORIGIN, CLI_PACKAGE, LLMS_FILE } from '#contract/pages/paths.ts';
import { MCP_TOOLS_FILE, OPENAPI_FILE } from '#contract/v1/v1.ts';
import {
  blockEnd,
  blockStart,
  CODE_STAND_IN,
  POST_STAND_INS,
  STAND_INS,
  type BlockName,
  type PageSetting,
} from '#contract/pages/page-templates.ts';
import { mcpTools } from '#worker/api/v1/mcp-document.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';

const SHELL = `<!doctype html><html lang="en"><head><meta charset="utf-8"><!--hop:head--><script nonce="__NONCE__">1</script></head><body><div id="root"></div></body></html>`;

const block = (name: BlockName, text: string): string => blockStart(name) + text + blockEnd(name);
const when = (setting: PageSetting, text: string, otherwise: string): string =>
  block(setting, text) + block(`not-${setting}`, otherwise);

const SETTINGS = `<p>${[
  when('embedded', 'Our sign-in.', 'Another sign-in.'),
  when('demo', 'A demo.', `No payment${when('support', `: ask ${STAND_INS.supportEmail}`, '')}.`),
  when('homeAd', 'An ad.', 'Our ad.'),
].join(' ')}</p>`;

/** A prerendered page with blocks and placeholders for the Worker. */
const TEMPLATE = SHELL.replace(
  '<div id="root"></div>',
  `<div id="root">${SETTINGS}${block('posts-tag', `Posts tagged ${POST_STAND_INS.tag}`)}<a href="mailto:${STAND_INS.supportEmail}">Write to us</a> ${STAND_INS.shortHost}/${CODE_STAND_IN}<ul>${blockStart('post')}<li><a href="/blog/${POST_STAND_INS.slug}">${POST_STAND_INS.title}</a><time datetime="${POST_STAND_INS.time}">${POST_STAND_INS.date}</time> ${POST_STAND_INS.minutes} min${block('post-author', ` by ${POST_STAND_INS.author}`)} <p>${POST_STAND_INS.text}</p>${block('post-tag', `<a href="/blogs?tag=${POST_STAND_INS.tag}">${POST_STAND_INS.tag}</a>`)}</li>${blockEnd('post')}</ul></div>`,
);

/**
 * The assets binding of a built deployment: a shell of each page, prerendered pages, one icon, the
 * package of the command line and the OpenAPI document. For tests that run without a build.
 */
export const builtAssets: Pick<Env, 'ASSETS'> = {
  ASSETS: {
    fetch: async (input: RequestInfo | URL) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (input instanceof Request && input.headers.get('If-None-Match') === '"page"')
        return new Response(null, { status: 304 });
      if (pathname.startsWith('/shells/'))
        return new Response(SHELL, { headers: { 'Content-Type': 'text/html', ETag: '"built"' } });
      if (pathname.startsWith('/pages/'))
        return new Response(TEMPLATE, { headers: { 'Content-Type': 'text/html', ETag: '"page"' } });
      if (pathname === '/index.html')
        return new Response(null, { status: 307, headers: { Location: '/' } });
      if (pathname === '/favicon.svg')
        return new Response('<svg/>', {
          headers: { 'Content-Type': 'image/svg+xml', ETag: '"icon"' },
        });
      if (pathname === OPENAPI_FILE) return Response.json(openApiDocument(BUILT_ORIGIN));
      if (pathname === LLMS_FILE) return new Response(`${BUILT_ORIGIN}/docs/api`);
      if (pathname === CLI_PACKAGE) return new Response('package', { headers: { ETag: '"cli"' } });
      if (pathname === MCP_TOOLS_FILE) return Response.json(mcpTools());
      return new Response(null, { status: 404 });
    },
    connect: () => {
      throw new Error('The assets are not connected to.');
    },
  },
};

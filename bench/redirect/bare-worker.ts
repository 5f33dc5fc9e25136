/**
 * The smallest Worker with Hop's design: it reads KV or its memory, sends a 302 and queues one
 * message per window. It has no visitor ids, link states, expiry or limits.
 */
type BareEnv = { LINKS: KVNamespace; CLICKS: Queue; MEMORY: string; WINDOW_MS: string };

const MAX_CLICKS = 400;
const memory = new Map<string, string>();
let clicks: unknown[] = [];
let isOpen = false;

export default {
  async fetch(request: Request, env: BareEnv, ctx: ExecutionContext): Promise<Response> {
    const { url } = request;
    const code = url.slice(url.indexOf('/', 8) + 1);
    let location = env.MEMORY === 'on' ? memory.get(code) : undefined;
    if (location === undefined) {
      location = (await env.LINKS.get(code)) ?? undefined;
      if (location === undefined) return new Response('Not found', { status: 404 });
      if (env.MEMORY === 'on') memory.set(code, location);
    }
    addClick(code, request, env, ctx);
    return new Response(null, {
      status: 302,
      headers: {
        location,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'strict-origin-when-cross-origin',
      },
    });
  },
};

function addClick(code: string, request: Request, env: BareEnv, ctx: ExecutionContext): void {
  const { headers, cf } = request;
  clicks.push({
    id: crypto.randomUUID(),
    code,
    at: Date.now(),
    ua: headers.get('user-agent') ?? '',
    ref: headers.get('referer') ?? '',
    lang: headers.get('accept-language') ?? '',
    country: cf?.country ?? '',
    city: cf?.city ?? '',
  });
  if (!isOpen) {
    isOpen = true;
    ctx.waitUntil(deliverLater(env));
  } else if (clicks.length >= MAX_CLICKS) ctx.waitUntil(deliver(env));
}

async function deliverLater(env: BareEnv): Promise<void> {
  await scheduler.wait(Number(env.WINDOW_MS));
  isOpen = false;
  await deliver(env);
}

async function deliver(env: BareEnv): Promise<void> {
  const window = clicks;
  clicks = [];
  await env.CLICKS.send(window);
}

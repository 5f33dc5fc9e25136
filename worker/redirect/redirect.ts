import { CODE_PATTERN, LINK_MEMORY_SECONDS } from '#contract/limits.ts';
import { captureClick } from './click-event.ts';
import { createClickBuffer } from './click-window.ts';
import { deliver, type ClickOutlets } from './deliver.ts';
import { leads } from './edge-link.ts';
import { linkMemory } from './link-memory.ts';
import { countMiss } from './misses.ts';
import { moved } from './moved.ts';
import type { Stop } from './pages.ts';
import { resolve } from './resolve.ts';

/** What a redirect needs from outside the hot path; imported only when it is used. */
export type Outlets = ClickOutlets & {
  /** Puts D1's current copy of a link into KV. */
  putBack: (env: Env, linkId: number, now: number) => Promise<unknown>;
};

/** The stated bound for disabled links holds whatever LINK_MEMORY_MS says. */
const MEMORY_MOST_MS = LINK_MEMORY_SECONDS * 1000;
const buffer = createClickBuffer();

/**
 * The answer to `/{code}` where this isolate still remembers the link: no promise, no storage. Null where it does
 * not, or where the answer is no redirect.
 */
export function redirectFromMemory(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  path: string,
  outlets: Outlets,
): Response | null {
  const now = Date.now();
  const known = linkMemory.recall(path.slice(1), now);
  if (known === undefined || !leads(known.link, now)) return null;
  const { method } = request;
  if (method === 'GET') count(request, env, ctx, known.link.i, now, outlets);
  else if (method !== 'HEAD') return null;
  return moved(known.link.u, isSecure(request));
}

/** Decision 15, for every path that is no page, file or API: 302, or a page that says why not. */
export async function redirect(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  path: string,
  outlets: Outlets,
): Promise<Response> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return stop(request, env, { why: 'method' });
  const code = path.slice(1);
  if (!CODE_PATTERN.test(code)) return stop(request, env, { why: 'unknown' });
  const now = Date.now();
  const memoryMs = Math.min(Number(env.LINK_MEMORY_MS) || 0, MEMORY_MOST_MS);
  const found = linkMemory.recallMiss(code, now)
    ? ({ kind: 'unknown' } as const)
    : await resolve(code, request, env, linkMemory, memoryMs, now, (work) => ctx.waitUntil(work));
  if (found.kind === 'down' || found.kind === 'limited') return stop(request, env, { why: found.kind });
  if (found.kind === 'unknown') return stop(request, env, { why: (await countMiss(request, env, now)) ? 'limited' : 'unknown' });
  const { link } = found;
  if (found.putBack) ctx.waitUntil(outlets.putBack(env, link.i, now).catch(() => undefined));
  if (!leads(link, now)) return stop(request, env, { why: 'gone', code, link });
  if (method === 'GET') count(request, env, ctx, link.i, now, outlets);
  return moved(link.u, isSecure(request));
}

const isSecure = (request: Request): boolean => request.url.startsWith('https:');

/** The pages are no part of a redirect: a cold isolate does not evaluate them. */
async function stop(request: Request, env: Env, reason: Stop): Promise<Response> {
  const { stopPage } = await import('./pages.ts');
  return stopPage(request, env, reason);
}

/** Notes the click as plain data; whatever follows, happens after the answer. */
function count(request: Request, env: Env, ctx: ExecutionContext, linkId: number, now: number, outlets: Outlets): void {
  const delivery = buffer.add(captureClick(request, linkId, now), Number(env.CLICK_WINDOW_MS) || 0);
  if (delivery !== null) ctx.waitUntil(deliver(delivery, buffer, env, outlets));
}

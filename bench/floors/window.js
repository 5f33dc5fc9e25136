// The clicks of a short window travel as one message, as in Hop, with nothing else of it.
import { clickEvent } from './click-event.js';
let clicks = [];
let open = false;

async function flush(env) {
  await scheduler.wait(100);
  const sent = clicks;
  clicks = [];
  open = false;
  await env.CLICKS.send(sent);
}

export function count(code, request, env, ctx) {
  clicks.push({ id: crypto.randomUUID(), ...clickEvent(code, request) });
  if (!open) {
    open = true;
    ctx.waitUntil(flush(env));
  } else if (clicks.length >= 400) {
    const sent = clicks;
    clicks = [];
    ctx.waitUntil(env.CLICKS.send(sent));
  }
}

/** Decision 15's headers. */
export const moved = (location) =>
  new Response(null, {
    status: 302,
    headers: {
      location,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'strict-origin-when-cross-origin',
    },
  });

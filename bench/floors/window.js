// Sends the clicks of a short window as one message, as Hop does, and nothing else that Hop does.
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

/** A 302 with one header more than Hop sends. */
export const redirectTo = (location) =>
  new Response(null, {
    status: 302,
    headers: {
      location,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'strict-origin-when-cross-origin',
    },
  });

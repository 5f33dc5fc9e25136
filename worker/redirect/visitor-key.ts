import type { RawClick } from './click-event.ts';
import { networkOfAddress } from './network.ts';
import { within } from './time-limit.ts';
import { dayOf, ensureVisitorKey, freshKey, visitorKeyName } from './visitor-key-store.ts';

type Stores = Pick<Env, 'DB' | 'LINKS'>;

const KV_LIMIT_MS = 1_500;
const D1_LIMIT_MS = 3_000;
/** 96 bits: two of a link's billion visitors of a day share a key with a chance of one in 10^11. */
const MARK_BYTES = 12;

const encoder = new TextEncoder();
/** This isolate's copy of the keys of today and, around midnight, of yesterday. */
const held = new Map<number, CryptoKey>();

/**
 * Gives every click its visitor key and forgets the address: HMAC over network, user agent and link, under the
 * key of the click's day (decision 20). Where no key can be had, the clicks count without one.
 */
export async function markVisitors(clicks: readonly RawClick[], env: Stores): Promise<void> {
  const keys = new Map<number, CryptoKey | null>();
  const marking: Promise<void>[] = [];
  for (const click of clicks) {
    if (click.from === '') continue;
    const day = dayOf(click.event.t);
    let key = keys.get(day);
    if (key === undefined) {
      key = held.get(day) ?? (await loadKey(env, day));
      keys.set(day, key);
    }
    if (key === null) click.from = '';
    else marking.push(mark(click, key));
  }
  await Promise.all(marking);
}

async function mark(click: RawClick, key: CryptoKey): Promise<void> {
  const { event } = click;
  const who = encoder.encode(`${networkOfAddress(click.from)}\n${event.ua}\n${event.l}`);
  click.from = '';
  const digest = await crypto.subtle.sign('HMAC', key, who);
  event.k = btoa(String.fromCharCode(...new Uint8Array(digest, 0, MARK_BYTES)));
}

/** Once per isolate and day: from KV, or from D1 where KV has none. Null where neither answers. */
async function loadKey(env: Stores, day: number): Promise<CryptoKey | null> {
  try {
    const copy = await within(KV_LIMIT_MS, env.LINKS.get(visitorKeyName(day))).catch(() => null);
    const text = copy ?? (await within(D1_LIMIT_MS, ensureVisitorKey(env, day, freshKey())));
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    for (const old of held.keys()) if (old < day - 1) held.delete(old);
    held.set(day, key);
    return key;
  } catch {
    return null;
  }
}

import type { RawClick } from './click-event.ts';
import { networkOfAddress } from './network.ts';
import { within } from './time-limit.ts';
import { dayOf, ensureVisitorKey, freshKey, visitorKeyName } from './visitor-key-store.ts';

type Stores = Pick<Env, 'DB' | 'LINKS'>;

const KV_LIMIT_MS = 1_500;
const D1_LIMIT_MS = 3_000;
/** 96 bits: two of a link's billion visitors of a day share a key with a chance of one in 10^11. */
const MARK_BYTES = 12;
/** As base64, which 12 bytes fill without padding: all marks of a window are made into text at once. */
const MARK_CHARS = 16;

/** Room for an address, a link id and a user agent, which are bounded and ASCII where they are captured. */
const WHO_BYTES = 512;

const encoder = new TextEncoder();
/** This isolate's copy of the keys of today and, around midnight, of yesterday. */
const held = new Map<number, CryptoKey>();

/**
 * Gives every click its visitor key and forgets the address: HMAC over network, user agent and link, under the
 * key of the click's day (decision 20). Where no key can be had, the clicks count without one.
 * All of a window share one buffer, and no click has a promise of its own but the signature's: it is a part of every redirect.
 */
export async function markVisitors(clicks: readonly RawClick[], env: Stores): Promise<void> {
  const keys = new Map<number, CryptoKey | null>();
  const marked: RawClick[] = [];
  const signing: Promise<ArrayBuffer>[] = [];
  const buffer = new Uint8Array(clicks.length * WHO_BYTES);
  for (const click of clicks) {
    const { event, from } = click;
    if (from === '') continue;
    const day = dayOf(event.t);
    let key = keys.get(day);
    if (key === undefined) {
      key = held.get(day) ?? (await loadKey(env, day));
      keys.set(day, key);
    }
    click.from = '';
    if (key === null) continue;
    const start = marked.length * WHO_BYTES;
    const room = buffer.subarray(start, start + WHO_BYTES);
    const { written } = encoder.encodeInto(`${networkOfAddress(from)}\n${event.l}\n${event.ua}`, room);
    marked.push(click);
    signing.push(crypto.subtle.sign('HMAC', key, room.subarray(0, written)));
  }
  const marks = new Uint8Array(marked.length * MARK_BYTES);
  for (const [index, digest] of (await Promise.all(signing)).entries())
    marks.set(new Uint8Array(digest, 0, MARK_BYTES), index * MARK_BYTES);
  // No spread: it would ask an iterator for every byte.
  const text = btoa(Reflect.apply(String.fromCharCode, null, marks));
  for (const [index, { event }] of marked.entries()) event.k = text.slice(index * MARK_CHARS, (index + 1) * MARK_CHARS);
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

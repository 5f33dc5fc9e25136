import type { ClickEvent, PendingClick } from './click-event.ts';
import { dailyKeyName, ensureDailyKey, generateDailyKey, utcDay } from './daily-key.ts';
import { networkOfAddress } from './network.ts';
import { withTimeout } from './with-timeout.ts';

type Stores = Pick<Env, 'DB' | 'LINKS'>;

const KV_TIMEOUT_MS = 1_500;
const D1_TIMEOUT_MS = 3_000;
/** 96 bits: the chance that two of a link's billion visitors of a day share an id is about 1 in 10^11. */
const ID_BYTES = 12;
/** The length of an id in base64. 12 bytes need no padding, so all ids of a window are encoded at once. */
const ID_CHARS = 16;
const NON_ASCII = /[^\0-\x7f]/g;

const encoder = new TextEncoder();
/** This isolate's keys, by UTC day: today's and, around midnight, yesterday's. */
const cachedKeys = new Map<number, CryptoKey>();

/**
 * Gives every click its visitor id and erases the address. The id is an HMAC over network, link and user agent, with the
 * key of the click's day (docs/decisions.md#d20). If no key can be read, the clicks count without a visitor id.
 * This is the most expensive part of a redirect, so the texts of a window are encoded in one call, and its ids as well.
 */
export async function assignVisitorIds(clicks: readonly PendingClick[], env: Stores): Promise<void> {
  const events: ClickEvent[] = [];
  const keys: CryptoKey[] = [];
  const ends: number[] = [];
  let text = '';
  let day = -1;
  let key: CryptoKey | null = null;
  for (const click of clicks) {
    const { event, address } = click;
    if (address === '') continue;
    click.address = '';
    const eventDay = utcDay(event.t);
    if (eventDay !== day) {
      day = eventDay;
      key = cachedKeys.get(day) ?? (await loadKey(env, day));
    }
    if (key === null) continue;
    text += `${networkOfAddress(address)}\n${event.l}\n${event.ua}`;
    events.push(event);
    keys.push(key);
    ends.push(text.length);
  }
  const ids = await signAll(text, ends, keys);
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (event !== undefined) event.k = ids.slice(i * ID_CHARS, (i + 1) * ID_CHARS);
  }
}

/** The ids of the parts of `text` that end at `ends`, one after the other, as one base64 text. */
async function signAll(text: string, ends: readonly number[], keys: readonly CryptoKey[]): Promise<string> {
  // One byte per character, so that `ends` are offsets in bytes, too. Addresses and user agents are ASCII already, but
  // where the platform does not set CF-Connecting-IP, a client can send any text.
  const bytes = encoder.encode(text.replace(NON_ASCII, '?'));
  const signing: Promise<ArrayBuffer>[] = [];
  let start = 0;
  for (const [i, key] of keys.entries()) {
    const end = ends[i] ?? start;
    signing.push(crypto.subtle.sign('HMAC', key, bytes.subarray(start, end)));
    start = end;
  }
  const ids = new Uint8Array(signing.length * ID_BYTES);
  let at = 0;
  for (const digest of await Promise.all(signing)) {
    ids.set(new Uint8Array(digest, 0, ID_BYTES), at);
    at += ID_BYTES;
  }
  // `apply`, because a spread would iterate over every byte.
  return btoa(Reflect.apply(String.fromCharCode, null, ids));
}

/** Reads a day's key from KV, else from D1, once per isolate and day. Null if both fail. */
async function loadKey(env: Stores, day: number): Promise<CryptoKey | null> {
  try {
    const copy = await withTimeout(KV_TIMEOUT_MS, env.LINKS.get(dailyKeyName(day))).catch(() => null);
    const text = copy ?? (await withTimeout(D1_TIMEOUT_MS, ensureDailyKey(env, day, generateDailyKey())));
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    for (const cachedDay of cachedKeys.keys()) if (cachedDay < day - 1) cachedKeys.delete(cachedDay);
    cachedKeys.set(day, key);
    return key;
  } catch {
    return null;
  }
}

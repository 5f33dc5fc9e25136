import { dayNumber } from '#contract/reports/periods.ts';
import type { ClickEvent, PendingClick } from './click-event.ts';
import { dailyKeyName, ensureDailyKey, generateDailyKey } from './daily-key.ts';
import { createHmacKey, hmacSha256, type HmacKey } from './hmac-sha256.ts';
import { createLru, type Lru } from './lru.ts';
import { networkOfAddress } from './network.ts';
import { withTimeout } from './with-timeout.ts';

type Stores = Pick<Env, 'DB' | 'LINKS'>;

const KV_TIMEOUT_MS = 1_500;
const D1_TIMEOUT_MS = 3_000;
/**
 * 96 bits: the chance that two of a link's billion visitors of a day share an id is about 1 in
 * 10^11.
 */
const ID_BYTES = 12;
/**
 * The length of an id in base64. 12 bytes need no padding, so all ids of a window are encoded in
 * one call.
 */
const ID_CHARS = 16;

/** The LRU keeps two generations of this size. */
const MAX_AGENTS = 250;

/** The key of a day, and those of user agents, which are derived from it. */
type DayKey = { key: HmacKey; agents: Lru<HmacKey> };
/** This isolate's keys, by UTC day: today's and, around midnight, yesterday's. */
const cachedKeys = new Map<number, DayKey>();

/**
 * Gives every click its visitor id and erases the address (docs/decisions.md#d20). If no key of the
 * click's day can be read, the clicks count without a visitor id.
 */
export async function assignVisitorIds(
  clicks: readonly PendingClick[],
  env: Stores,
): Promise<void> {
  const events: ClickEvent[] = [];
  const ids = new Uint8Array(clicks.length * ID_BYTES);
  let day = -1;
  let key: DayKey | null = null;
  for (const click of clicks) {
    const { event, address } = click;
    if (address === '') continue;
    click.address = '';
    const eventDay = dayNumber(event.t);
    if (eventDay !== day) {
      day = eventDay;
      key = cachedKeys.get(day) ?? (await loadKey(env, day));
    }
    if (key === null) continue;
    const digest = digestOf(key, address, event.l, event.ua);
    for (let i = 0; i < ID_BYTES; i++) ids[events.length * ID_BYTES + i] = byteOf(digest, i);
    events.push(event);
  }
  // One call encodes all ids, because a call of `btoa` per click would take longer. `apply` avoids
  // the iteration of a spread.
  const text = btoa(Reflect.apply(String.fromCharCode, null, ids));
  for (const [i, event] of events.entries()) event.k = text.slice(i * ID_CHARS, (i + 1) * ID_CHARS);
}

/**
 * The HMAC over network and link, with a key that is the HMAC of the user agent. The key of an agent
 * is remembered, which halves the time. The first three words are the visitor id, the last one is
 * the seed.
 */
function digestOf(
  { key, agents }: DayKey,
  address: string,
  linkId: number,
  agent: string,
): Int32Array {
  let agentKey = agents.get(agent);
  if (agentKey === undefined) {
    const digest = hmacSha256(key, agent);
    agentKey = createHmacKey(Uint8Array.from({ length: 32 }, (_, i) => byteOf(digest, i)));
    agents.set(agent, agentKey);
  }
  return hmacSha256(agentKey, `${networkOfAddress(address)}\n${linkId}`);
}

const byteOf = (digest: Int32Array, at: number): number =>
  ((digest[at >> 2] ?? 0) >>> (24 - (at & 3) * 8)) & 0xff;

/**
 * A number of 32 bits that stays the same for a visitor of a link all day, from the digest that
 * gives the visitor id. Random for a visitor who asked not to be recognized, and while the day's key
 * is not known here.
 */
export function visitorSeed(linkId: number, agent: string, address: string, now: number): number {
  const key = address === '' ? undefined : cachedKeys.get(dayNumber(now));
  if (key === undefined) return Math.trunc(Math.random() * 2 ** 32);
  return digestOf(key, address, linkId, agent)[7] ?? 0;
}

/** Whether this isolate has the key of the day, so that `visitorSeed` recognizes visitors. */
export const hasDailyKey = (now: number): boolean => cachedKeys.has(dayNumber(now));

/** How long a redirect waits for the day's key, in ms. A job stores it in KV a day ahead. */
const SEED_TIMEOUT_MS = 1_000;
/** How long redirects do not wait again after the key could not be read, in ms. */
const SEED_PAUSE_MS = 10_000;
let nextReadAt = 0;

/** Reads the key of the day, unless this isolate has it. Never throws. */
export async function readDailyKey(env: Stores, now: number): Promise<void> {
  if (hasDailyKey(now) || now < nextReadAt) return;
  await withTimeout(SEED_TIMEOUT_MS, loadKey(env, dayNumber(now))).catch(() => null);
  nextReadAt = hasDailyKey(now) ? 0 : now + SEED_PAUSE_MS;
}

/** Reads a day's key from KV, else from D1, once per isolate and day. Null if both fail. */
async function loadKey(env: Stores, day: number): Promise<DayKey | null> {
  try {
    const copy = await withTimeout(KV_TIMEOUT_MS, env.LINKS.get(dailyKeyName(day))).catch(
      () => null,
    );
    const text =
      copy ?? (await withTimeout(D1_TIMEOUT_MS, ensureDailyKey(env, day, generateDailyKey())));
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const key = { key: createHmacKey(bytes), agents: createLru<HmacKey>(MAX_AGENTS) };
    for (const cachedDay of cachedKeys.keys())
      if (cachedDay < day - 1) cachedKeys.delete(cachedDay);
    cachedKeys.set(day, key);
    return key;
  } catch {
    return null;
  }
}

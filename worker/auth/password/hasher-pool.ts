import { errorFacts, logEvent } from '#worker/log.ts';
import { withTimeout } from '#worker/redirect/with-timeout.ts';
import { deriveHere, type Derivation } from './derive-key.ts';
import { WAITING_MAX } from './hash-queue.ts';

/** The objects that hash passwords; null hashes them in this isolate, as scripts do. */
export type Hashers = Env['PASSWORD_HASHERS'] | null;

/**
 * How many objects hash. One derives seven keys a second, so three are enough for 20 sign-ins a
 * second; the platform may run several objects in one isolate.
 */
const OBJECTS = 8;
/** Longer than a hash may wait in an object, so only an object that hangs takes so long. */
const CALL_LIMIT_MS = 10_000;

type Call = { startedAt: number };
/** The calls of this isolate. The ones of cancelled requests stay until their time is over. */
const calls = new Set<Call>();
/** True once a request has hashed a password in this isolate. */
let hashesForRequests = false;

/**
 * Derives a key in an object. If the first one is full, another one gets the call. If one cannot be
 * reached or does not answer, the key is derived in this isolate, which is slower: hashes pause
 * there for redirects. Null if both objects, this isolate's calls or its queue are full.
 */
export async function derivePasswordKey(
  hashers: Hashers,
  derivation: Derivation,
): Promise<Uint8Array | null> {
  hashesForRequests = true;
  if (hashers === null) return deriveHere(derivation, { pauses: true });
  if (!hasRoomForHash(derivation.waitingMax)) return null;
  const call = { startedAt: Date.now() };
  calls.add(call);
  try {
    const first = Math.floor(Math.random() * OBJECTS);
    const second = (first + 1 + Math.floor(Math.random() * (OBJECTS - 1))) % OBJECTS;
    return (
      (await callObject(hashers, first, derivation)) ??
      (await callObject(hashers, second, derivation))
    );
  } catch (error) {
    logEvent('password_hasher_failed', errorFacts(error));
    return await deriveHere(derivation, { pauses: true });
  } finally {
    calls.delete(call);
  }
}

const callObject = (
  hashers: Exclude<Hashers, null>,
  object: number,
  derivation: Derivation,
): Promise<Uint8Array | null> =>
  withTimeout(CALL_LIMIT_MS, hashers.getByName(String(object)).derive(derivation));

/**
 * False if this isolate has as many calls open as the whole pool should have. Call it before
 * counting or sending anything that precedes a hash. A lower `waitingMax` leaves places for others.
 */
export function hasRoomForHash(waitingMax = WAITING_MAX): boolean {
  const oldest = Date.now() - 2 * CALL_LIMIT_MS;
  for (const call of calls) if (call.startedAt < oldest) calls.delete(call);
  return calls.size < OBJECTS * waitingMax;
}

/**
 * Derives a key in an object. The platform may run it in the isolate of the Worker, as it does
 * locally. Hashes then pause for the requests there.
 */
export const deriveInObject = (derivation: Derivation): Promise<Uint8Array | null> =>
  deriveHere(derivation, { pauses: hashesForRequests });

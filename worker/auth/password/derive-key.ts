import { scrypt } from 'node:crypto';
import { queueHash } from './hash-queue.ts';
import type { ScryptParams } from './scrypt-params.ts';

/** A key of `bytes` bytes to derive. `waitingMax` is how many hashes may wait before this one. */
export type Derivation = {
  password: string;
  salt: Uint8Array;
  params: ScryptParams;
  bytes: number;
  waitingMax: number;
};

/** Derives a key in this isolate. Waits in its hash queue; null if that is full. */
export function deriveHere(
  { password, salt, params, bytes, waitingMax }: Derivation,
  { pauses }: { pauses: boolean },
): Promise<Uint8Array | null> {
  const { ln, r, p } = params;
  const hash = (): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      scrypt(
        password,
        salt,
        bytes,
        { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 },
        (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        },
      );
    });
  return queueHash(expectedDuration(params), hash, { waitingMax, pauses });
}

/**
 * About how long a hash takes, in ms: N=2^14, r=8, p=5 takes about 140 ms, and the time is
 * proportional to N, r and p.
 */
const expectedDuration = ({ ln, r, p }: ScryptParams): number =>
  (140 * (2 ** ln * r * p)) / (2 ** 14 * 8 * 5);

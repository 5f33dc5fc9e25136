const KEY = 'hop-sign-up-secret';
const BYTES = 32;

/** Opens the browser's storage. If storage is blocked, even opening it throws. */
type OpenStore = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

/**
 * Used if storage throws (blocked or full). It lasts as long as the page, which is enough for a
 * code entered there.
 */
let memory: string | null = null;

/**
 * Returns the secret of this browser's sign-up, and creates it if there is none: 32 random bytes in
 * base64url, stored until the address is confirmed. It proves that the browser that confirms an
 * address is the one that signed up. Without it, the confirmation deletes the password of the
 * sign-up, because someone else may have chosen it.
 */
export function ensureSignUpSecret(store: OpenStore, random: FillRandom): string {
  const known = loadSignUpSecret(store);
  if (known !== null) return known;
  memory = toBase64Url(random(new Uint8Array(BYTES)));
  try {
    store().setItem(KEY, memory);
  } catch {
    // `memory` still holds it.
  }
  return memory;
}

export function loadSignUpSecret(store: OpenStore): string | null {
  try {
    const stored = store().getItem(KEY);
    return stored !== null && /^[\w-]{43}$/.test(stored) ? stored : memory;
  } catch {
    return memory;
  }
}

export function clearSignUpSecret(store: OpenStore): void {
  memory = null;
  try {
    store().removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

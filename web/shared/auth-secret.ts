const KEY = 'hop-sign-up-secret';
const BYTES = 32;

/** Opens the browser's storage. Where a person blocks it, even opening it throws. */
type OpenStore = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
/** Fills the bytes with random ones. */
type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

/** Where storage throws (blocked, full), the secret lasts as long as the page: the mail's code, entered here, still finds it. */
let memory: string | null = null;

/**
 * Proves to the sign-in service that the browser confirming an address is the browser that signed it up. 32 random bytes in
 * base64url, kept until then. Without it, the confirmation drops the sign-up's password, which may be a stranger's.
 */
export function ensureSignUpSecret(store: OpenStore, random: FillRandom): string {
  const known = readSignUpSecret(store);
  if (known !== null) return known;
  memory = toBase64Url(random(new Uint8Array(BYTES)));
  try {
    store().setItem(KEY, memory);
  } catch {
    // Kept in memory.
  }
  return memory;
}

/** The secret of this browser's sign-up; null where it made none. */
export function readSignUpSecret(store: OpenStore): string | null {
  try {
    const kept = store().getItem(KEY);
    return kept !== null && /^[\w-]{43}$/.test(kept) ? kept : memory;
  } catch {
    return memory;
  }
}

/** The address is confirmed: the secret has done its work. */
export function clearSignUpSecret(store: OpenStore): void {
  memory = null;
  try {
    store().removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

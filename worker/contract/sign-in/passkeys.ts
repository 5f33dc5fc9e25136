/** The most passkeys of an account. */
export const PASSKEYS_MAX = 10;

/** In characters. */
export const PASSKEY_NAME_MAX = 60;

/** Where a passkey is: in this device or its password manager, on a phone, or on a security key. */
export const PASSKEY_KINDS = ['device', 'phone', 'security_key'] as const;
export type PasskeyKind = (typeof PASSKEY_KINDS)[number];

/**
 * A passkey as the sign-in service shows it, with the names that the sign-in client knows. `kind`
 * is an addition; null if the browser did not say. Times are RFC 3339.
 */
export type Passkey = {
  id: string;
  friendly_name: string;
  kind: PasskeyKind | null;
  created_at: string;
  /** Absent before the first use. */
  last_used_at?: string;
};

import { createHash } from 'node:crypto';
import type { Account, SessionRow } from './store.ts';

export type Metadata = Record<string, unknown>;

/**
 * The account as clients see it, without any hash or token. Optional members are omitted, never
 * null. `session` is the one that asks, if there is one.
 */
export function userJson(
  account: Account,
  session?: Pick<SessionRow, 'amr'>,
): Record<string, unknown> {
  const began = session === undefined ? null : beganAt(session);
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: account.email,
    phone: '',
    ...timesOf({
      email_confirmed_at: account.email_confirmed_at,
      confirmed_at: account.email_confirmed_at,
      confirmation_sent_at: account.confirmation_sent_at,
      recovery_sent_at: account.recovery_sent_at,
      last_sign_in_at: account.last_sign_in_at,
      banned_until: account.banned_until,
      created_at: account.created_at,
      updated_at: account.updated_at,
    }),
    // Pages ask for a new password if there is none. This is computed here, so that no client can
    // set it.
    app_metadata: {
      ...readMetadata(account.app_metadata),
      has_password: account.password_hash !== null,
      // Members who signed in at the company's provider or with a passkey need no password.
      ...(began === 'oauth' && { sso: true }),
      ...(began === 'webauthn' && { passkey: true }),
    },
    user_metadata: readMetadata(account.user_metadata),
    identities: [identityJson(account)],
    is_anonymous: false,
    ...(hasTotp(account) && { factors: [factorJson(account)] }),
  };
}

/** Whether the account asks for a code of an authenticator app. */
export const hasTotp = (account: Pick<Account, 'totp_confirmed_at'>): boolean =>
  account.totp_confirmed_at !== null;

/** The user of a sign-in that waits for the second factor. Pages treat them as a visitor. */
export const markPending = (user: Record<string, unknown>): Record<string, unknown> => ({
  ...user,
  app_metadata: { ...readObject(user['app_metadata']), pending: true },
});

const readObject = (value: unknown): Metadata => (isMetadata(value) ? value : {});

/** An account has one authenticator app, whose id is derived from the account's. */
export const factorId = (userId: string): string => derivedId('factor', userId);

const factorJson = ({ id, totp_confirmed_at }: Account): Record<string, unknown> => ({
  id: factorId(id),
  friendly_name: '',
  factor_type: 'totp',
  status: 'verified',
  ...timesOf({ created_at: totp_confirmed_at, updated_at: totp_confirmed_at }),
});

/** How a session began, by its method, as the owner's list names it. */
export const BEGINNINGS = {
  password: 'password',
  otp: 'mail',
  oauth: 'sso',
  webauthn: 'passkey',
} as const;

const isBeginning = (method: unknown): method is keyof typeof BEGINNINGS =>
  typeof method === 'string' && Object.hasOwn(BEGINNINGS, method);

/** How a session began: the method of its first `amr` entry; null if that is unknown. */
export function beganAt({ amr }: Pick<SessionRow, 'amr'>): keyof typeof BEGINNINGS | null {
  const entries: unknown = JSON.parse(amr);
  const first: unknown = Array.isArray(entries) ? entries[0] : null;
  const method = isMetadata(first) ? first['method'] : null;
  return isBeginning(method) ? method : null;
}

/** Parses stored metadata. Returns {} for anything but an object. */
export function readMetadata(text: string): Metadata {
  const parsed: unknown = JSON.parse(text);
  return isMetadata(parsed) ? parsed : {};
}

export const isMetadata = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function identityJson(account: Account): Record<string, unknown> {
  return {
    identity_id: identityId(account.id),
    id: account.id,
    user_id: account.id,
    identity_data: {
      email: account.email,
      email_verified: account.email_confirmed_at !== null,
      phone_verified: false,
      sub: account.id,
    },
    provider: 'email',
    email: account.email,
    ...timesOf({
      last_sign_in_at: account.last_sign_in_at ?? account.created_at,
      created_at: account.created_at,
      updated_at: account.updated_at,
    }),
  };
}

/** Times as RFC 3339, without those that are null. */
const timesOf = (times: Record<string, number | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(times).flatMap(([name, ms]) =>
      ms === null ? [] : [[name, new Date(ms).toISOString()]],
    ),
  );

/** An account has one identity. It is not stored: its id is derived from the account's. */
const identityId = (userId: string): string => derivedId('identity', userId);

function derivedId(kind: 'factor' | 'identity', userId: string): string {
  const hex = createHash('sha256').update(`${kind}:${userId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

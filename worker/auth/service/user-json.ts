import { createHash } from 'node:crypto';
import type { Account } from './store.ts';

export type Metadata = Record<string, unknown>;

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * The account as clients see it, without any hash or token. Optional members are omitted, never
 * null.
 */
export function userJson(account: Account): Record<string, unknown> {
  const confirmed = account.email_confirmed_at;
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: account.email,
    ...(confirmed === null ? {} : { email_confirmed_at: iso(confirmed) }),
    phone: '',
    ...(account.confirmation_sent_at === null
      ? {}
      : { confirmation_sent_at: iso(account.confirmation_sent_at) }),
    ...(confirmed === null ? {} : { confirmed_at: iso(confirmed) }),
    ...(account.recovery_sent_at === null
      ? {}
      : { recovery_sent_at: iso(account.recovery_sent_at) }),
    ...(account.last_sign_in_at === null ? {} : { last_sign_in_at: iso(account.last_sign_in_at) }),
    ...(account.banned_until === null ? {} : { banned_until: iso(account.banned_until) }),
    // Pages ask for a new password if there is none. This is computed here, so that no client can
    // set it.
    app_metadata: {
      ...readMetadata(account.app_metadata),
      has_password: account.password_hash !== null,
    },
    user_metadata: readMetadata(account.user_metadata),
    identities: [identityJson(account)],
    created_at: iso(account.created_at),
    updated_at: iso(account.updated_at),
    is_anonymous: false,
  };
}

/** Parses stored metadata. Returns {} for anything but an object. */
export function readMetadata(text: string): Metadata {
  const parsed: unknown = JSON.parse(text);
  return isMetadata(parsed) ? parsed : {};
}

export const isMetadata = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function identityJson(account: Account): Record<string, unknown> {
  const confirmed = account.email_confirmed_at !== null;
  return {
    identity_id: identityId(account.id),
    id: account.id,
    user_id: account.id,
    identity_data: {
      email: account.email,
      email_verified: confirmed,
      phone_verified: false,
      sub: account.id,
    },
    provider: 'email',
    last_sign_in_at: iso(account.last_sign_in_at ?? account.created_at),
    created_at: iso(account.created_at),
    updated_at: iso(account.updated_at),
    email: account.email,
  };
}

/** An account has one identity. It is not stored: its id is derived from the account's. */
function identityId(userId: string): string {
  const hex = createHash('sha256').update(`identity:${userId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

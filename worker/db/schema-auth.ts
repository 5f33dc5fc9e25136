import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { PASSKEY_KINDS } from '#contract/sign-in/passkeys.ts';

/**
 * Tables of the embedded sign-in. They stay empty in a deployment with a hosted sign-in service.
 */

export const auth_users = sqliteTable(
  'auth_users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    password_hash: text(),
    email_confirmed_at: integer(),
    app_metadata: text().notNull().default('{}'),
    user_metadata: text().notNull().default('{}'),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    last_sign_in_at: integer(),
    confirmation_sent_at: integer(),
    recovery_sent_at: integer(),
    banned_until: integer(),
    /** When the owner confirmed the mailbox, in ms; null until then. */
    proven_at: integer(),
    /**
     * SHA-256 of the secret of the browser that signed up. Confirming the mailbox without this
     * secret requires a new password.
     */
    sign_up_secret_hash: text(),
    /** Keyed hashes of the browsers that signed in, the last one last, as JSON; null for none. */
    known_browsers: text(),
    /** The secret of the authenticator app, encrypted under AUTH_SECRET; null without one. */
    totp_secret: text(),
    /** When the app proved its first code, in ms. Until then the secret counts for nothing. */
    totp_confirmed_at: integer(),
    /** The newest time step whose code was accepted. Each step is accepted once. */
    totp_last_step: integer(),
  },
  (t) => [uniqueIndex('auth_users_by_email').on(t.email)],
);

/**
 * A refresh token is derived from `id` and `counter` with a key that is not in the database.
 * `browser`, `os` and `country` describe the sign-in in single words for its owner; null if
 * unknown.
 */
export const auth_sessions = sqliteTable(
  'auth_sessions',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    counter: integer().notNull().default(0),
    refreshed_at: integer().notNull(),
    amr: text().notNull(),
    created_at: integer().notNull(),
    not_after: integer(),
    browser: text(),
    os: text(),
    /** Two letters (ISO 3166-1). */
    country: text(),
    /** SHA-256 of the token in the notice of this sign-in; null if there was none. */
    notice_hash: text(),
  },
  (t) => [
    index('auth_sessions_by_user').on(t.user_id),
    uniqueIndex('auth_sessions_by_notice')
      .on(t.notice_hash)
      .where(sql`notice_hash is not null`),
  ],
);

/**
 * Links and codes sent by mail, as hashes. A new mail of a kind replaces the old token. `secure` is
 * the link in the notice of a changed password and has no code.
 */
export const auth_one_time_tokens = sqliteTable(
  'auth_one_time_tokens',
  {
    user_id: text().notNull(),
    kind: text({ enum: ['signup', 'recovery', 'secure'] }).notNull(),
    token_hash: text().notNull(),
    code_hash: text().notNull(),
    code_attempts: integer().notNull().default(0),
    expires_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.kind] }),
    uniqueIndex('auth_one_time_tokens_by_hash').on(t.token_hash),
  ],
);

/**
 * Accounts at the company's provider. One is identified by its issuer and subject alone: an address
 * at the provider may change and never moves it.
 */
export const auth_identities = sqliteTable(
  'auth_identities',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    user_id: text().notNull(),
    /** The address at the provider at the last sign-in; '' if it sent none. */
    email: text().notNull(),
    /** The address that the person proved with a mailed code; null if the provider has verified one. */
    proven_email: text(),
    /** Whether the last sign-in was in OIDC_ADMIN_GROUP. */
    in_admin_group: integer({ mode: 'boolean' }).notNull().default(false),
    linked_at: integer().notNull(),
    used_at: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    uniqueIndex('auth_identities_by_user').on(t.user_id, t.issuer),
  ],
);

/**
 * Sign-ins at the provider that have begun, for ten minutes. `state_hash` is null once the browser
 * has returned, and `code_hash` until then, so each of the two works once.
 */
export const auth_flows = sqliteTable(
  'auth_flows',
  {
    id: text().primaryKey(),
    state_hash: text(),
    code_hash: text(),
    /** The S256 challenge of the browser that began. Only its verifier can redeem the code. */
    challenge: text().notNull(),
    next: text().notNull(),
    /** The account to connect; null for a sign-in. */
    user_id: text(),
    /** A keyed hash, to limit the flows of a network. */
    network: text().notNull(),
    /** What the provider said, as JSON without tokens; null until the browser has returned. */
    claims: text(),
    /** The address that a code was mailed to, because the provider has verified none. */
    mailbox: text(),
    /** A keyed hash; null once the code was used. */
    mailbox_code_hash: text(),
    mailbox_attempts: integer().notNull().default(0),
    /** When the right code was entered, in ms; null until then. */
    mailbox_proven_at: integer(),
    expires_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('auth_flows_by_state').on(t.state_hash),
    uniqueIndex('auth_flows_by_code').on(t.code_hash),
    index('auth_flows_by_network').on(t.network),
  ],
);

/** The last sign-ins at the provider that failed, for the system page. */
export const auth_flow_failures = sqliteTable('auth_flow_failures', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  reason: text().notNull(),
  /** What the protocol calls the fault. Never a token, and no address. */
  detail: text().notNull(),
});

/** Recovery codes of the second factor, as hashes. A used one is deleted. */
export const auth_recovery_codes = sqliteTable(
  'auth_recovery_codes',
  {
    user_id: text().notNull(),
    code_hash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.code_hash] })],
);

/**
 * Sign-ins that wait for the second factor. They are in a table of their own, so that no request
 * finds a session before the code was entered. `id` becomes the session's.
 */
export const auth_pending_sign_ins = sqliteTable(
  'auth_pending_sign_ins',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    amr: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    browser: text(),
    os: text(),
    country: text(),
  },
  (t) => [index('auth_pending_sign_ins_by_user').on(t.user_id)],
);

/** Requests to turn off a second factor that its owner has lost. */
export const auth_factor_resets = sqliteTable(
  'auth_factor_resets',
  {
    user_id: text().primaryKey(),
    /** SHA-256 of the token in the first mail, whose link stops the reset. */
    stop_hash: text().notNull(),
    /** SHA-256 of the token in the second mail; null until it is sent. */
    off_hash: text(),
    requested_at: integer().notNull(),
    /** When the second mail is due, in ms. */
    ready_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [
    uniqueIndex('auth_factor_resets_by_stop').on(t.stop_hash),
    uniqueIndex('auth_factor_resets_by_off').on(t.off_hash),
  ],
);

/**
 * Passkeys (WebAuthn). `public_key` is a JWK. `kind` is what the browser said about the device, for
 * the owner's list; null if unknown.
 */
export const auth_passkeys = sqliteTable(
  'auth_passkeys',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    /** In base64url. */
    credential_id: text().notNull(),
    public_key: text().notNull(),
    /** The signature counter; 0 if the authenticator counts nothing. */
    counter: integer().notNull(),
    /** JSON: how the browser reaches the authenticator. */
    transports: text().notNull(),
    name: text().notNull(),
    kind: text({ enum: PASSKEY_KINDS }),
    created_at: integer().notNull(),
    /** In ms; null before the first use. */
    used_at: integer(),
  },
  (t) => [
    uniqueIndex('auth_passkeys_by_credential').on(t.credential_id),
    index('auth_passkeys_by_user').on(t.user_id),
  ],
);

/**
 * Open challenges for passkeys, for five minutes. The challenge itself is derived from the token,
 * which only the browser that asked has.
 */
export const auth_passkey_challenges = sqliteTable(
  'auth_passkey_challenges',
  {
    token_hash: text().primaryKey(),
    purpose: text({ enum: ['sign_in', 'add', 'prove'] }).notNull(),
    /** The session that asked; null for a sign-in. */
    session_id: text(),
    /** A keyed hash, to limit the challenges of a network. */
    network: text().notNull(),
    expires_at: integer().notNull(),
  },
  (t) => [index('auth_passkey_challenges_by_network').on(t.network)],
);

/** ES256 signing keys; the private half is encrypted under AUTH_SECRET. */
export const auth_keys = sqliteTable('auth_keys', {
  kid: text().primaryKey(),
  public_jwk: text().notNull(),
  private_jwk: text().notNull(),
  status: text({ enum: ['next', 'active', 'retired'] }).notNull(),
  created_at: integer().notNull(),
  /** When the key stopped signing, in ms. It is deleted once its last token has expired. */
  retired_at: integer(),
});

/** The local mailbox: mails that would have been sent. Written only while DEV_MAILBOX is on. */
export const dev_mails = sqliteTable(
  'dev_mails',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    link: text().notNull(),
    sent_at: integer().notNull(),
  },
  (t) => [index('dev_mails_by_to').on(t.to)],
);

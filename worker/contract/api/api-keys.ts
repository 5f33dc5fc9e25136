import * as z from 'zod/mini';
import { atMost, oneLine, rfc3339 } from '#contract/common-schemas.ts';
import { CODE_PREFIX_MAX, ROTATION_HOURS } from '#contract/limits.ts';
import { SCOPES, type Scope } from './scopes.ts';

/** The longest time for which the previous secret of a rotated key keeps working, in hours. */
const ROTATION_HOURS_MAX = 168;

const KEY_NAME_MAX = 50;

export const scopesAmong = <const All extends readonly string[]>(all: All) =>
  z
    .array(z.enum(all))
    .check(
      z.minLength(1, 'Choose at least one of the scopes.'),
      z.maxLength(all.length, 'scopes can name each scope once.'),
    );

/** POST /api/keys → 201 `CreatedApiKey`, or 409 with API_KEYS_MAX keys. Times are RFC 3339. */
export const apiKeyRequest = z.object({
  name: oneLine('The name', KEY_NAME_MAX).check(z.minLength(1, 'Enter a name for the key.')),
  scopes: scopesAmong(SCOPES),
  expiresAt: z.optional(z.nullable(rfc3339)),
  /** The key creates and sees only links whose code starts with this. */
  codePrefix: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.regex(
            /^[A-Za-z0-9-][A-Za-z0-9_-]*$/,
            'codePrefix can have letters, digits, hyphens and underscores, and must not start with an underscore.',
          ),
          atMost('codePrefix', CODE_PREFIX_MAX),
        ),
    ),
  ),
});
export type ApiKeyRequest = z.infer<typeof apiKeyRequest>;

/**
 * POST /api/keys/:id/rotate → `CreatedApiKey` with a new secret. The previous secret works for
 * `overlapHours` more hours; 0 ends it at once.
 */
export const rotateRequest = z.object({
  overlapHours: z._default(
    z.int().check(z.minimum(0), z.maximum(ROTATION_HOURS_MAX)),
    ROTATION_HOURS,
  ),
});

/** A key as its owner sees it. DELETE /api/keys/:id revokes it → `{ success: true }`. */
export type ApiKey = {
  id: string;
  name: string;
  /** The visible start of the secret: 'hop_live_Ab3x'. */
  prefix: string;
  /** The host of the app that the key belongs to (contract/api/oauth.ts); null for a key made by hand. */
  app: string | null;
  scopes: Scope[];
  codePrefix: string | null;
  createdAt: string;
  expiresAt: string | null;
  /** Up to a minute old; null for a key that was never used. */
  lastUsedAt: string | null;
  /** When the secret before the last rotation stops working; null if it does not work. */
  previousSecretUntil: string | null;
};
/** GET /api/keys, newest first. */
export type ApiKeysResponse = { keys: ApiKey[] };
/** `key` is the whole secret, which no later response contains. */
export type CreatedApiKey = ApiKey & { key: string };

import * as z from 'zod/mini';
import { scopesAmong } from './api-keys.ts';
import { atMost } from '#contract/common-schemas.ts';
import type { Scope } from './scopes.ts';

/**
 * Connecting apps, such as assistants, by OAuth 2.1 (docs/product.md#connect-an-app). An app
 * registers itself, sends its user to the page AUTHORIZE_PATH, and redeems the code that it gets
 * for an API key.
 */

export const AUTHORIZE_PATH = '/oauth/authorize';

/** The rights that a member can grant to an app. */
export const APP_SCOPES = [
  'links:read',
  'analytics:read',
  'links:write',
] as const satisfies readonly Scope[];
/** The rights that the page proposes. They change nothing. */
export const PROPOSED_SCOPES: readonly Scope[] = ['links:read', 'analytics:read'];

/** How long a connection can last, in days. The first one is the default. */
export const APP_LIFETIMES = [365, 90, 30] as const;

const limited = (name: string) => z.string().check(atMost(name, 4000));

/**
 * The query of the page, of GET /api/oauth/authorize, which describes it, and a part of the body of
 * POST. Unknown parameters are ignored (RFC 6749 §3.1), and so is `scope`, because the member
 * chooses.
 */
export const authorizeQuery = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.literal('code'),
  code_challenge: z
    .string()
    .check(z.regex(/^[\w-]{43}$/, 'code_challenge must be a SHA-256 in base64url.')),
  code_challenge_method: z.literal('S256'),
  state: z.optional(limited('state')),
  resource: z.optional(limited('resource')),
});
export type AuthorizeQuery = z.infer<typeof authorizeQuery>;

/** What a member decides about. */
export type AppRequest = {
  /** The name that the app gave itself. Nobody has checked it. */
  name: string;
  /** The host that gets the code: 'claude.ai', or a loopback host for an app on this device. */
  host: string;
  /** Where Cancel leads: the app, with the error access_denied. */
  cancelUrl: string;
};

/** True for the host of an app on the member's own device. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host);

/** POST /api/oauth/authorize → `Granted` */
export const grantRequest = z.extend(authorizeQuery, {
  scopes: scopesAmong(APP_SCOPES),
  days: z.literal(APP_LIFETIMES),
});
export type GrantRequest = z.infer<typeof grantRequest>;
/** The app, with the code in the query. */
export type Granted = { redirectTo: string };

/**
 * POST /api/oauth/register (RFC 7591 §2). Other members are ignored. Registration stores nothing:
 * the client id contains the name and the redirect URIs, signed.
 */
export const clientMetadata = z.object({
  client_name: z.optional(z.string()),
  redirect_uris: z.array(z.string()).check(z.minLength(1), z.maxLength(10)),
});

/** POST /api/oauth/token (RFC 6749 §4.1.3, RFC 7636 §4.5), as a form. */
export const tokenForm = z.object({
  code: z.string(),
  redirect_uri: z.string(),
  client_id: z.string(),
  code_verifier: z.string().check(z.regex(/^[\w.~-]{43,128}$/)),
  resource: z.optional(z.string()),
});
export type TokenForm = z.infer<typeof tokenForm>;

import { HOUR_MS } from '#contract/time.ts';
import { readOidcIssuer } from '#worker/redirect/sign-in-settings.ts';

/**
 * Settings of the company's provider (OpenID Connect). The issuer comes from the deployment's
 * variables alone and never from a request.
 */
export type OidcSettings = {
  issuer: string;
  clientId: string;
  /** '' for a public client. */
  clientSecret: string;
  /** The provider's name on buttons and in mails. */
  name: string;
  scopes: string;
  /** Lower case. If there are any, only verified addresses of these domains may sign in. */
  allowedDomains: readonly string[];
  /** The value of the `groups` claim that makes an administrator; '' for none. */
  adminGroup: string;
  /** Whether a verified address joins the account that has proven the same mailbox. */
  linksByEmail: boolean;
  /** How long a session lasts after its sign-in at the provider. */
  sessionMs: number;
};

type OidcVariables = Pick<
  Env,
  | 'OIDC_ISSUER'
  | 'OIDC_CLIENT_ID'
  | 'OIDC_CLIENT_SECRET'
  | 'OIDC_NAME'
  | 'OIDC_SCOPES'
  | 'OIDC_ALLOWED_DOMAINS'
  | 'OIDC_ADMIN_GROUP'
  | 'OIDC_LINK_BY_EMAIL'
  | 'OIDC_SESSION_HOURS'
>;

const SCOPES = 'openid email profile';
const SESSION_HOURS = 12;

/** Null without OIDC_ISSUER. Then nothing of OpenID Connect is loaded. */
export function readOidcSettings(env: OidcVariables): OidcSettings | null {
  const issuer = readOidcIssuer(env);
  if (issuer === '') return null;
  const hours = Number(env.OIDC_SESSION_HOURS);
  return {
    issuer,
    clientId: (env.OIDC_CLIENT_ID ?? '').trim(),
    clientSecret: env.OIDC_CLIENT_SECRET ?? '',
    name: (env.OIDC_NAME ?? '').trim() || 'Company account',
    scopes: (env.OIDC_SCOPES ?? '').trim() || SCOPES,
    allowedDomains: (env.OIDC_ALLOWED_DOMAINS ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((domain) => domain !== ''),
    adminGroup: (env.OIDC_ADMIN_GROUP ?? '').trim(),
    linksByEmail: (env.OIDC_LINK_BY_EMAIL ?? '').trim().toLowerCase() === 'verified',
    sessionMs: (hours > 0 ? hours : SESSION_HOURS) * HOUR_MS,
  };
}

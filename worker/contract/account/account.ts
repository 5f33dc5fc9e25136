import * as z from 'zod/mini';
import type { ApiKey } from '#contract/api/api-keys.ts';
import type { Post } from '#contract/blog/blog.ts';
import type { HistoryName, ShownByColumn } from '#contract/links/link-settings.ts';
import type { Passkey } from '#contract/sign-in/passkeys.ts';
import type { Subscription } from '#contract/plans/plans.ts';
import type { QrPreset } from '#contract/presets/qr-presets.ts';
import type { PlanType } from '#contract/site.ts';
import type { SharedReport } from '#contract/reports/shared-reports.ts';
import type { Tag } from '#contract/links/tags.ts';
import type { UtmTemplate } from '#contract/presets/utm-templates.ts';
import type { LinkView } from '#contract/presets/views.ts';
import type { LinkHealth } from '#contract/links/watch.ts';
import type { Webhook } from '#contract/webhooks/webhooks.ts';

/** GET /api/me: the signed-in user. Role and plan are read from the database on every request. */
export type Me = {
  id: string;
  email: string;
  role: 'user' | 'admin';
  plan: PlanType;
  /** Only for an administrator who must show a second factor before the admin pages open. */
  needsSecondFactor?: true;
};

export type ExportedLink = ShownByColumn & {
  short_code: string;
  /** The host of its domain; '' for the deployment's own short host. */
  domain: string;
  /** Codes that still redirect to the link, newest first. */
  earlier_codes: string[];
  short_url: string;
  long_url: string;
  /** The id of the link in the member's own system, set through the public API. */
  external_id: string | null;
  status: 'active' | 'disabled' | 'deleted';
  status_reason: string | null;
  created_at: string;
  /** How many clicks of the limit are used; 0 without a limit. */
  limit_used: number;
  /** What checks have found about its destination; null if it is not watched. */
  health: LinkHealth | null;
  tags: string[];
  /** Its preview card. `image` is the path of the picture at this site; null for none. */
  card: { title: string; description: string; image: string | null } | null;
  /** The states that changes by the owner replaced, oldest first. */
  history: (ShownByColumn<HistoryName> & {
    until: string;
    short_code: string;
    long_url: string;
    status: string;
    tags: string[];
  })[];
  clicks: {
    human: number;
    visitors: number;
    bot: number;
    prefetch: number;
    first_at: string | null;
    last_at: string | null;
  };
  /**
   * The source of an imported link, and the clicks that were counted there; null for other links.
   */
  imported: { from: string; clicks: number | null } | null;
};

/**
 * GET /api/account/export: everything stored under the user's id and email, as a download. Times
 * are RFC 3339.
 */
export type AccountExport = {
  exported_at: string;
  profile: {
    id: string;
    email: string;
    role: 'user' | 'admin';
    /** The domain for new links; '' for the deployment's own short host. */
    default_domain: string;
    created_at: string | null;
    last_seen_at: string | null;
  };
  /** The account of the embedded sign-in; null with a hosted service. */
  sign_in: {
    email: string;
    email_confirmed_at: string | null;
    created_at: string;
    last_sign_in_at: string | null;
    user_metadata: unknown;
    /** The authenticator app, with the number of unused recovery codes; null without one. */
    second_factor: { since: string; recovery_codes: number } | null;
  } | null;
  /** The sessions of the embedded sign-in, the last used first. */
  sessions: Omit<Session, 'id' | 'current'>[];
  /** Without their keys. */
  passkeys: Omit<Passkey, 'id'>[];
  subscription: Subscription | null;
  /**
   * The record under a keyed hash of the email, which outlives the account; null if there is none.
   */
  address_record: { demoted_at: string | null } | null;
  /** Includes deleted domains, because the links on them stay. */
  domains: {
    name: string;
    status: 'active' | 'suspended' | 'deleted';
    suspended_reason: string | null;
    root_url: string;
    not_found_url: string;
    created_at: string;
    /** When the TXT record of its host was last seen; null if no host leads to it. */
    proven_at: string | null;
  }[];
  /** Hosts that were added and are not proven yet. */
  domain_claims: { host: string; created_at: string; expires_at: string }[];
  /** `from` is the address of the account that offers a domain; null for own offers. */
  domain_offers: { name: string; from: string | null; created_at: string; expires_at: string }[];
  links: ExportedLink[];
  tags: Omit<Tag, 'id'>[];
  qr_presets: Omit<QrPreset, 'id'>[];
  utm_templates: Omit<UtmTemplate, 'id'>[];
  views: Omit<LinkView, 'id'>[];
  posts: Omit<Post, 'id'>[];
  api_keys: ApiKey[];
  webhooks: Webhook[];
  shared_reports: SharedReport[];
  /** Null for a member who does not get the weekly mail. */
  weekly_mail: { since: string } | null;
};

/**
 * DELETE /api/account. Returns `{ success: true }`, or 409 for the last administrator. `links` says
 * whether to remove the links (they return 410) or to keep them working, grouped under a random
 * label. Returns 403 `reauthentication_required` unless `currentPassword` is right or the user has
 * entered a mailed code in the last ten minutes. With a hosted service, the user must have signed
 * in within that time.
 */
export const deleteAccountRequest = z.object({
  confirm: z.literal('delete my account', 'Type “delete my account” to confirm.'),
  links: z.enum(['remove', 'keep']),
  currentPassword: z.optional(z.string()),
});
export type DeleteAccountRequest = z.infer<typeof deleteAccountRequest>;

/**
 * A session of the member: a sign-in on one device. `browser`, `system` and `country` describe the
 * sign-in; null if unknown. `lastUsedAt` is up to an hour old. Times are RFC 3339.
 */
export type Session = {
  id: string;
  /** A name without a version, such as "Firefox". */
  browser: string | null;
  system: string | null;
  /** Two letters (ISO 3166-1), or T1 for the Tor network. */
  country: string | null;
  /**
   * With a password, a mailed link or code, at the company's provider or with a passkey; null if
   * unknown.
   */
  began: 'password' | 'mail' | 'sso' | 'passkey' | null;
  signedInAt: string;
  lastUsedAt: string;
  current: boolean;
};

/**
 * GET /api/sessions: the member's sessions, the current one first, then the last used. DELETE
 * /api/sessions/:id ends one, and DELETE /api/sessions all but the current one. Both take effect
 * with the next request and return `{ success: true }`. The list is empty with a hosted sign-in
 * service, which stores the sessions itself.
 */
export type SessionsResponse = { sessions: Session[] };

import * as z from 'zod/mini';
import { atMost, changesSomething } from './common-schemas.ts';
import { TARGET_MAX } from './limits.ts';

/**
 * Further host names for short links. The operator's hosts (SHORT_HOSTS) are shared by all members;
 * a member's own are proven by DNS records. The API names a domain by its host.
 */

/**
 * `unproven`: the TXT record is missing. `pending`: proven, but not connected yet. `failing`: was
 * active, and its last checks failed; its links work as long as visitors arrive. `suspended`: an
 * administrator has stopped it.
 */
export const DOMAIN_STATES = ['unproven', 'pending', 'active', 'failing', 'suspended'] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

/** Why a domain does not work, or not yet; the pages and the API turn it into a sentence. */
export const DOMAIN_FAULTS = [
  /** No record, or not visible everywhere yet. */
  'record_missing',
  'wrong_value',
  /** A CNAME through the proxy of another account of the platform (error 1014). */
  'proxied_elsewhere',
  'caa_forbids',
  /** Another account holds the host, and its TXT record is still there. */
  'held_by_another',
  'certificate_pending',
  'too_many_tries',
  'moved',
  'blocked',
  'deleted',
  'quota_reached',
  'platform_unavailable',
] as const;
export type DomainFault = (typeof DOMAIN_FAULTS)[number];

/** `unknown` before the first check, and while the resolvers do not answer. */
export const DOMAIN_RECORD_STATES = ['unknown', 'missing', 'wrong', 'right'] as const;

/** A record that its owner enters at the DNS provider, and what the last check saw there. */
export type DomainRecord = {
  type: 'TXT' | 'CNAME';
  name: string;
  value: string;
  state: (typeof DOMAIN_RECORD_STATES)[number];
  seen: string[];
};

export type Domain = {
  /** In lower case, as an A-label. */
  name: string;
  /** With international letters; equal to `name` if it has none. */
  displayName: string;
  /** True for a host of the operator: every member can use it, and nobody can change it here. */
  isShared: boolean;
  state: DomainState;
  fault: DomainFault | null;
  /** What an administrator gave as the reason; null unless suspended. */
  suspendedReason: string | null;
  /** Empty for a host of the operator. */
  records: DomainRecord[];
  rootUrl: string;
  notFoundUrl: string;
  createdAt: string;
  /** When DNS and platform were last asked; null before the first time. */
  checkedAt: string | null;
  /** Until when another account can accept the domain; null if it is not offered. */
  offeredUntil: string | null;
};

/** GET /api/domains. `canAdd` is false if this deployment offers members no own domains. */
export type DomainsResponse = {
  domains: Domain[];
  canAdd: boolean;
  /** How many own domains the plan allows. */
  limit: number;
  /** The name of the domain for new links; '' for the deployment's own short host. */
  defaultDomain: string;
  /** Domains that other accounts offer to this one. */
  offers: DomainOffer[];
};

/** `from` is the address of the account that offers the domain. */
export type DomainOffer = { name: string; displayName: string; from: string };

/** GET /api/domains/:name. What deleting the domain would stop. */
export type DomainDetail = Domain & { links: number; clicks30Days: number };

const HOST_MAX = 253;
/** The host of a domain; '' is the deployment's own short host. */
export const domainName = z.string().check(atMost('A domain', HOST_MAX));

/**
 * POST /api/domains, status 201. `confirmed` is needed for a host that has a website or mail now,
 * which would stop.
 */
export const newDomainRequest = z.object({
  name: domainName,
  confirmed: z.optional(z.boolean()),
});

const page = z.nullable(z.string().check(z.maxLength(TARGET_MAX)));

/** PATCH /api/domains/:name. Null or '' removes a page. */
export const domainChange = z
  .object({ rootUrl: z.optional(page), notFoundUrl: z.optional(page) })
  .check(changesSomething('Nothing to change.'));

/** DELETE /api/domains/:name. `name` repeats the name, so that nobody deletes one by a slip. */
export const domainRemoval = z.object({ name: domainName });

/** PUT /api/domains/default. '' is the deployment's own short host. */
export const defaultDomainRequest = z.object({ name: domainName });

/**
 * POST /api/domains/:name/transfer offers a domain to another account of this deployment. The answer
 * does not tell whether the address has one. That account answers with POST
 * /api/domains/:name/transfer/accept; DELETE /api/domains/:name/transfer declines or withdraws.
 */
export const domainTransfer = z.object({ email: z.string().check(z.maxLength(254)) });

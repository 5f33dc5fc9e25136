import type { Context } from 'hono';
import type { Domain } from '#contract/domains.ts';
import { PLANS } from '#contract/site.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { checkHostName, type HostNameFault } from '#worker/domains/proof/host-name.ts';
import { publishHostsLater } from '#worker/edge/publish-hosts.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { MAILS, type MailText } from '#worker/mail/texts.ts';
import { USE_NAMES } from '#worker/messages/domains.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import { configuredOrigins, hostOf } from '#worker/redirect/configured-origins.ts';
import { displayHost } from '#worker/safety/lookalike.ts';
import { checkDomain, isNamed } from './check-domain.ts';
import { addClaim } from './add-claim.ts';
import { describeOwnDomains } from './describe-domains.ts';
import { mailOwner } from './mail-owners.ts';
import { removeDomain } from './remove-domain.ts';
import { readSaasSettings } from './settings.ts';
import { saasTools, type SaasTools } from './tools.ts';

/** What both APIs do with the domains of an account. */

type Ctx = Context<ApiEnv>;

const NAME_FAULTS = {
  not_a_host: 'domain_not_a_host',
  too_long: 'domain_too_long',
  own_host: 'domain_own_host',
  public_suffix: 'domain_public_suffix',
  private_host: 'domain_private_host',
  imitates: 'domain_imitates',
} as const satisfies Record<HostNameFault, string>;

const REMOVAL_FAULTS = {
  unknown_domain: 'not_own_domain',
  name_differs: 'domain_name_differs',
  domain_suspended: 'own_domain_suspended',
} as const;

export async function addDomain(
  c: Ctx,
  ownerId: string,
  { name, confirmed = false }: { name: string; confirmed?: boolean | undefined },
): Promise<Domain> {
  const tools = requireTools(c);
  const ownHosts = [
    ...configuredOrigins(c.env).hosts,
    ...configuredDomains(c.env).shared,
    hostOf(new URL(c.get('origins').app)),
    tools.settings.target,
  ];
  const checked = checkHostName(name, { ownHosts, shorteners: c.env.BLOCKED_SHORTENERS });
  if (!checked.ok) throw apiError(NAME_FAULTS[checked.reason]);
  const { host } = checked;
  const claimed = await addClaim(tools, { ownerId, host, isConfirmed: confirmed }, c.get('now'));
  if (claimed.ok) return describe(c, ownerId, host);
  if (claimed.reason === 'domain_in_use')
    throw apiError('domain_in_use', {
      detail: [...new Set(claimed.uses.map((type) => USE_NAMES[type] ?? type))].join(' and '),
    });
  if (claimed.reason === 'domain_limit') throw await limitReached(c, ownerId);
  throw apiError(claimed.reason);
}

export async function checkNow(c: Ctx, ownerId: string, host: string): Promise<Domain> {
  if (!(await isNamed(c.get('db'), ownerId, host, c.get('now')))) throw apiError('not_own_domain');
  const checked = await checkDomain(requireTools(c), ownerId, host, c.get('now'));
  if (!checked.ok)
    throw apiError(
      checked.reason === 'too_many_checks' ? 'too_many_domain_checks' : 'not_own_domain',
    );
  if (checked.isProven) publish(c, [host]);
  if (checked.formerOwner !== null && checked.formerOwner !== ownerId) {
    mail(c, checked.formerOwner, MAILS.domainLost(displayHost(host)));
    mail(c, ownerId, MAILS.domainProven(displayHost(host)));
  }
  return describe(c, ownerId, host);
}

export async function deleteDomain(
  c: Ctx,
  ownerId: string,
  named: { host: string; typed: string },
): Promise<void> {
  const removed = await removeDomain(c.get('db'), ownerId, named, c.get('now'));
  if (!removed.ok) throw apiError(REMOVAL_FAULTS[removed.reason]);
  publish(c, [named.host]);
}

function requireTools(c: Ctx): SaasTools {
  const tools = saasTools(c.env, c.get('db'));
  if (tools === null) throw apiError('domains_off');
  return tools;
}

export async function limitReached(c: Ctx, userId: string) {
  const plan = await readPlan(c.get('db'), userId, c.get('now'));
  return apiError('domain_limit', {
    amount: PLANS[plan].domains,
    upgradeRequired: plan === 'free',
  });
}

export async function describe(c: Ctx, ownerId: string, host: string): Promise<Domain> {
  const target = readSaasSettings(c.env)?.target ?? '';
  const who = { ownerId, secret: authSecret(c.env), target };
  const all = await describeOwnDomains(c.get('db'), who, c.get('now'));
  const found = all.find(({ name }) => name === host);
  if (found === undefined) throw apiError('not_own_domain');
  return found;
}

/** Writes to KV where changed hosts lead, after the response. A job publishes what fails here. */
export function publish(c: Ctx, hosts: readonly string[]): void {
  if (hosts.length > 0) c.executionCtx.waitUntil(publishHostsLater(c.env, hosts, c.get('now')));
}

/** Sends a mail after the response. */
export function mail(c: Ctx, userId: string, text: MailText): void {
  const work = mailOwner(c.env, userId, text, c.get('now'));
  c.executionCtx.waitUntil(work.then(() => undefined));
}

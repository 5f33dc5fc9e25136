import { Hono, type Context } from 'hono';
import { domainRemoval, domainTransfer, newDomainRequest, type Domain } from '#contract/domains.ts';
import { PLANS } from '#contract/site.ts';
import { checkHostName, type HostNameFault } from '#worker/domains/proof/host-name.ts';
import { publishHostsLater } from '#worker/edge/publish-hosts.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { apiError } from '#worker/http/errors.ts';
import { rateLimit } from '#worker/http/rate-limit.ts';
import { readJson, requireMember } from '#worker/http/validate.ts';
import { MAILS, type MailText } from '#worker/mail/texts.ts';
import { USE_NAMES } from '#worker/messages/domains.ts';
import { readPlan } from '#worker/plans/subscription.ts';
import { configuredOrigins, hostOf } from '#worker/redirect/configured-origins.ts';
import { displayHost } from '#worker/safety/lookalike.ts';
import { checkDomain, isNamed } from './check-domain.ts';
import { claimHost } from './claim-host.ts';
import { describeOwnDomains } from './describe-domains.ts';
import { mailOwner } from './mail-owners.ts';
import { removeDomain } from './remove-domain.ts';
import { saasTools, type SaasTools } from './tools.ts';
import { acceptDomain, endOffer, offerDomain } from './transfer-domain.ts';

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

/** Routes by which members bring, check, delete and transfer their own domains. */
export const memberDomainRoutes = new Hono<ApiEnv>();

memberDomainRoutes.post('/domains', async (c) => {
  const { id: ownerId } = requireMember(c);
  const { name, confirmed = false } = readJson(c, newDomainRequest);
  await rateLimit(c.env.LIMIT_WRITES, ownerId);
  const tools = requireTools(c);
  const ownHosts = [
    ...configuredOrigins(c.env).hosts,
    hostOf(new URL(c.get('origins').app)),
    tools.settings.target,
  ];
  const checked = checkHostName(name, { ownHosts, shorteners: c.env.BLOCKED_SHORTENERS });
  if (!checked.ok) throw apiError(NAME_FAULTS[checked.reason]);
  const { host } = checked;
  const claimed = await claimHost(tools, { ownerId, host, isConfirmed: confirmed }, c.get('now'));
  if (claimed.ok) return c.json(await describe(c, ownerId, host), 201);
  if (claimed.reason === 'domain_in_use')
    throw apiError('domain_in_use', {
      detail: [...new Set(claimed.uses.map((type) => USE_NAMES[type] ?? type))].join(' and '),
    });
  if (claimed.reason === 'domain_limit') throw await limitReached(c, ownerId);
  throw apiError(claimed.reason);
});

memberDomainRoutes.post('/domains/:name/check', async (c) => {
  const { id: ownerId } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, ownerId);
  const host = hostParam(c);
  if (!(await isNamed(c.get('db'), ownerId, host, c.get('now')))) throw apiError('not_own_domain');
  const checked = await checkDomain(requireTools(c), ownerId, host, c.get('now'));
  if (!checked.ok)
    throw apiError(
      checked.reason === 'too_many_checks' ? 'too_many_domain_checks' : 'not_own_domain',
    );
  if (checked.isProven) publish(c, host);
  if (checked.formerOwner !== null && checked.formerOwner !== ownerId) {
    mail(c, checked.formerOwner, MAILS.domainLost(displayHost(host)));
    mail(c, ownerId, MAILS.domainProven(displayHost(host)));
  }
  return c.json(await describe(c, ownerId, host));
});

memberDomainRoutes.delete('/domains/:name', async (c) => {
  const { id: ownerId } = requireMember(c);
  const { name } = readJson(c, domainRemoval);
  await rateLimit(c.env.LIMIT_WRITES, ownerId);
  const host = hostParam(c);
  const removed = await removeDomain(c.get('db'), ownerId, { host, typed: name }, c.get('now'));
  if (!removed.ok) throw apiError(REMOVAL_FAULTS[removed.reason]);
  if (removed.hadHost) publish(c, host);
  return c.json({ success: true });
});

memberDomainRoutes.post('/domains/:name/transfer', async (c) => {
  const owner = requireMember(c);
  const { email } = readJson(c, domainTransfer);
  await rateLimit(c.env.LIMIT_WRITES, owner.id);
  const host = hostParam(c);
  const offer = { ownerId: owner.id, host, email };
  const offered = await offerDomain(c.get('db'), offer, c.get('now'));
  if (!offered.ok) {
    if (offered.reason === 'too_many_offers') throw apiError('too_many_domain_offers');
    if (offered.reason === 'offers_yourself') throw apiError('domain_offered_to_yourself');
    throw apiError('not_own_domain');
  }
  if (offered.receiver !== null)
    mail(c, offered.receiver, MAILS.domainOffered(displayHost(host), owner.email));
  return c.json({ success: true });
});

memberDomainRoutes.post('/domains/:name/transfer/accept', async (c) => {
  const user = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, user.id);
  const host = hostParam(c);
  const accepted = await acceptDomain(c.get('db'), { userId: user.id, host }, c.get('now'));
  if (!accepted.ok)
    throw accepted.reason === 'domain_limit'
      ? await limitReached(c, user.id)
      : apiError('unknown_domain_offer');
  publish(c, host);
  mail(c, accepted.formerOwner, MAILS.domainTransferred(displayHost(host), user.email));
  return c.json(await describe(c, user.id, host));
});

memberDomainRoutes.delete('/domains/:name/transfer', async (c) => {
  const { id } = requireMember(c);
  await rateLimit(c.env.LIMIT_WRITES, id);
  if (!(await endOffer(c.get('db'), id, hostParam(c)))) throw apiError('unknown_domain_offer');
  return c.json({ success: true });
});

type Ctx = Context<ApiEnv>;

const hostParam = (c: Ctx): string => (c.req.param('name') ?? '').toLowerCase();

function requireTools(c: Ctx): SaasTools {
  const tools = saasTools(c.env, c.get('db'));
  if (tools === null) throw apiError('domains_off');
  return tools;
}

async function limitReached(c: Ctx, userId: string) {
  const plan = await readPlan(c.get('db'), userId, c.get('now'));
  return apiError('domain_limit', {
    amount: PLANS[plan].domains,
    upgradeRequired: plan === 'free',
  });
}

async function describe(c: Ctx, ownerId: string, host: string): Promise<Domain> {
  const all = await describeOwnDomains(c.env, c.get('db'), ownerId, c.get('now'));
  const found = all.find(({ name }) => name === host);
  if (found === undefined) throw apiError('not_own_domain');
  return found;
}

const publish = (c: Ctx, host: string): void =>
  c.executionCtx.waitUntil(publishHostsLater(c.env, [host], c.get('now')));

/** Sends a mail after the response. */
function mail(c: Ctx, userId: string, text: MailText): void {
  const work = mailOwner(c.env, userId, text, c.get('now'));
  c.executionCtx.waitUntil(work.then(() => undefined));
}

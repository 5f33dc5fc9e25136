import type { Domain } from '#contract/domains.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { changeDomain, type DomainPages } from '#worker/domains/change-domain.ts';
import { describeOwnDomains } from '#worker/domains/saas/describe-domains.ts';
import { readSaasSettings } from '#worker/domains/saas/settings.ts';
import { describeSharedDomains } from '#worker/domains/shared-domains.ts';
import { syncSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import { publishHostsLater } from '#worker/edge/publish-hosts.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { reputationOf, targetPolicy } from '#worker/safety/target-policy.ts';
import type { TargetReason } from '#worker/messages/links.ts';
import { configuredDomains } from '#worker/redirect/configured-domains.ts';
import { checkHarm } from '#worker/safety/check-harm.ts';
import { checkTarget } from '#worker/safety/target.ts';

/** The operator's domains first, then the member's own. */
export async function describeDomains(
  { db, env, now }: RequestContext,
  userId: string,
): Promise<Domain[]> {
  const { shared } = configuredDomains(env);
  let operators = await describeSharedDomains(db, shared);
  // SHORT_HOSTS has changed since the job last looked.
  if (operators.length < shared.size && (await syncSharedHosts(env, now)) > 0)
    operators = await describeSharedDomains(db, shared);
  const target = readSaasSettings(env)?.target ?? '';
  const who = { ownerId: userId, secret: authSecret(env), target };
  return [...operators, ...(await describeOwnDomains(db, who, now))];
}

/** Undefined pages stay unchanged. */
export type PageChange = { [Page in keyof DomainPages]: string | null | undefined };

type PagesResult =
  | { ok: true }
  | { ok: false; reason: 'not_own_domain' }
  | { ok: false; reason: 'invalid_page'; page: keyof DomainPages; fault: TargetReason };

/** Changes the pages of an own domain that `change` names, and publishes it after the response. */
export async function changePages(
  context: RequestContext,
  userId: string,
  name: string,
  change: PageChange,
): Promise<PagesResult> {
  const pages: Partial<DomainPages> = {};
  for (const page of ['rootUrl', 'notFoundUrl'] as const) {
    const given = change[page];
    if (given === undefined) continue;
    const check = await checkPage(context, given);
    if (!check.ok) return { ok: false, reason: 'invalid_page', page, fault: check.reason };
    pages[page] = check.href;
  }
  const { db, env, now, waitUntil } = context;
  if (!(await changeDomain(db, userId, name, pages)))
    return { ok: false, reason: 'not_own_domain' };
  waitUntil(publishHostsLater(env, [name], now));
  return { ok: true };
}

/**
 * The href of a page of a domain, which must pass the link policy; '' for none. No job checks it
 * again, so it is rejected while the reputation service does not answer.
 */
async function checkPage(
  context: RequestContext,
  text: string | null,
): Promise<{ ok: true; href: string } | { ok: false; reason: TargetReason }> {
  if (text === null || text.trim() === '') return { ok: true, href: '' };
  const check = checkTarget(text, targetPolicy(context));
  if (!check.ok) return check;
  const { db, now } = context;
  const harm = await checkHarm(db, [check.target], reputationOf(context), false, now);
  return harm.ok ? { ok: true, href: check.target.href } : harm;
}

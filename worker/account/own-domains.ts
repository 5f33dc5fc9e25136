import type { Context } from 'hono';
import type { Domain } from '#contract/domains.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { changeDomain, type DomainPages } from '#worker/domains/change-domain.ts';
import { describeOwnDomains } from '#worker/domains/saas/describe-domains.ts';
import { publish } from '#worker/domains/saas/domain-requests.ts';
import { readSaasSettings } from '#worker/domains/saas/settings.ts';
import { describeSharedDomains } from '#worker/domains/shared-domains.ts';
import { syncSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import { requestContext, type ApiEnv, type RequestContext } from '#worker/http/context.ts';
import { ApiError, apiError } from '#worker/http/errors.ts';
import { reputationOf, targetPolicy } from '#worker/safety/target-policy.ts';
import { PAGE_MESSAGES } from '#worker/messages/domains.ts';
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

/** Throws 404 for a domain that the member cannot use. */
export async function requireDomain(
  context: RequestContext,
  userId: string,
  name: string,
): Promise<Domain> {
  const found = (await describeDomains(context, userId)).find((domain) => domain.name === name);
  if (found === undefined) throw apiError('not_own_domain');
  return found;
}

/** Undefined pages stay unchanged. */
type PageChange = { [Page in keyof DomainPages]: string | null | undefined };

/** Changes the pages of an own domain that `change` names, and publishes it after the response. */
export async function changePages(
  c: Context<ApiEnv>,
  userId: string,
  name: string,
  change: PageChange,
): Promise<void> {
  const pages = {
    rootUrl: await pageIn(c, change, 'rootUrl'),
    notFoundUrl: await pageIn(c, change, 'notFoundUrl'),
  };
  if (!(await changeDomain(c.get('db'), userId, name, pages))) throw apiError('not_own_domain');
  publish(c, [name]);
}

/** The href of a page that a change names; undefined if it names none. */
async function pageIn(
  c: Context<ApiEnv>,
  change: PageChange,
  field: keyof PageChange,
): Promise<string | undefined> {
  const given = change[field];
  if (given === undefined) return undefined;
  const page = await checkPage(requestContext(c), given);
  if (!page.ok) throw new ApiError('invalid_target', PAGE_MESSAGES[page.reason], { field });
  return page.href;
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

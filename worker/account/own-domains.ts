import type { Domain } from '#contract/domains.ts';
import { authSecret } from '#worker/auth/service/settings.ts';
import { describeOwnDomains } from '#worker/domains/saas/describe-domains.ts';
import { readSaasSettings } from '#worker/domains/saas/settings.ts';
import { describeSharedDomains } from '#worker/domains/shared-domains.ts';
import { syncSharedHosts } from '#worker/domains/sync-shared-hosts.ts';
import type { RequestContext } from '#worker/http/context.ts';
import { reputationOf, targetPolicy } from '#worker/links/write/write-links.ts';
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

/** The href of a page of a domain, which must pass the link policy; '' for none. */
export async function checkPage(
  context: RequestContext,
  text: string | null,
): Promise<{ ok: true; href: string } | { ok: false; reason: TargetReason }> {
  if (text === null || text.trim() === '') return { ok: true, href: '' };
  const check = checkTarget(text, targetPolicy(context));
  if (!check.ok) return check;
  const { db, now } = context;
  const harm = await checkHarm(db, [check.target], reputationOf(context), true, now);
  return harm.ok ? { ok: true, href: check.target.href } : harm;
}

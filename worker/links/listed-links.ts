import type { Context } from 'hono';
import { splitKey } from '#contract/codes/domain-key.ts';
import { SETTING_NAMES } from '#contract/links/link-settings.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { findRefusals } from '#worker/domains/usable-domain.ts';
import type { ApiEnv } from '#worker/http/context.ts';
import { domainNameOf, shortUrlOf } from '#worker/http/short-url.ts';
import { requireMember } from '#worker/http/validate.ts';
import { DOMAIN_STOPS } from '#worker/messages/links.ts';
import { nameDomainsOf } from './domain-of-request.ts';
import { describeDisabled } from './read/describe-disabled.ts';
import type { OwnLink } from './read/own-link.ts';
import { showHealth } from './read/show-health.ts';
import { showByColumn } from './settings/link-settings.ts';

/**
 * Converts links of the caller to the form of My URLs. Links on domains that no longer lead here
 * say so, which costs one read.
 */
export async function toListedLinks(
  c: Context<ApiEnv>,
  links: readonly OwnLink[],
): Promise<ListedLink[]> {
  await nameDomainsOf(c, links);
  const domains = new Set(links.map(({ code }) => splitKey(code).domain));
  const refusals = await findRefusals(c.get('db'), requireMember(c).id, [...domains]);
  const origins = c.get('origins');
  return links.map((link) => {
    const refusal = refusals.get(splitKey(link.code).domain);
    const domain = domainNameOf(origins, link.code);
    const isPlainlyDeleted = link.status === 'deleted' && link.disabledBy === null;
    return {
      id: link.id,
      short_code: link.code,
      domain,
      earlier_codes: link.earlierCodes,
      short_url: shortUrlOf(origins, link.code),
      long_url: link.target,
      click_count: link.clicks,
      limit_used: link.limitUsed,
      created_at: new Date(link.createdAt).toISOString(),
      status: link.status === 'active' ? 'active' : 'disabled',
      status_reason:
        (isPlainlyDeleted ? null : describeDisabled(link)) ??
        (refusal === undefined ? null : DOMAIN_STOPS[refusal.reason](domain)),
      ...showByColumn(link, SETTING_NAMES),
      health: showHealth(link.health, link.target),
      tags: link.tags,
      deleted_at: link.status === 'deleted' ? new Date(link.updatedAt).toISOString() : null,
    };
  });
}

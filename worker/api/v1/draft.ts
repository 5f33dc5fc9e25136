import type { Context } from 'hono';
import type { LinkInput } from '#contract/v1/v1.ts';
import { requestContext, type ApiEnv } from '#worker/http/context.ts';
import { requireKey } from '#worker/http/validate.ts';
import { toStoredExternalId } from '#worker/links/read/external-ids.ts';
import { readLinkSettings } from '#worker/links/settings/link-settings.ts';
import { parseLinkDraft } from '#worker/links/write/link-draft.ts';
import { targetPolicy } from '#worker/safety/target-policy.ts';
import type { NamedDomains } from './link-domains.ts';
import { mayWrite } from './link-json.ts';

const UNKNOWN_DOMAIN = { ok: false, reason: 'unknown_domain' } as const;

/**
 * Validates the input of a new link as the key may create it. `domains` are those that it may name.
 */
export function toLinkDraft(
  c: Context<ApiEnv>,
  { url, domain: name, code, externalId, enabled, tags, ...given }: LinkInput,
  domains: NamedDomains,
) {
  const key = requireKey(c);
  const domain = domains.get(name) ?? UNKNOWN_DOMAIN;
  if (!domain.ok) return { ...domain, values: { domain: name ?? '' } };
  return parseLinkDraft(
    {
      ...readLinkSettings(given),
      target: url,
      code,
      domain: domain.id,
      externalId: externalId && toStoredExternalId(externalId, key.codePrefix),
      enabled,
      tags,
    },
    {
      isMember: true,
      policy: targetPolicy(requestContext(c)),
      now: c.get('now'),
      codePrefix: key.codePrefix,
      // People may still follow the code of a deleted link, so only a key with `links:write` may
      // give it to a new link.
      mayTakeFormer: mayWrite(key),
    },
  );
}

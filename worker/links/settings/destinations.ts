import type { LinkSettings } from '#contract/link-settings.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import type { LinkReason, LinkRefusal, TargetReason } from '#worker/messages/links.ts';
import { checkTarget, type Target, type TargetPolicy } from '#worker/safety/target.ts';
import { fromStoredRules, toStoredRules } from './stored-rules.ts';

/**
 * Where a link leads besides its target: its fallback and the destinations of its rules. What holds
 * for a target holds for each of them: the link policy, the blocklist, reputation and moderation.
 */

type Destinations = Pick<LinkSettings, 'fallbackUrl' | 'rules'>;
type Given = Partial<Destinations>;

export type DestinationError = LinkRefusal<
  Extract<LinkReason, 'invalid_target' | 'invalid_fallback' | 'invalid_rule'>
>;

/** Applies the link policy to destinations, and returns them with the hrefs to store. */
export function checkDestinations<Settings extends Given>(
  settings: Settings,
  policy: TargetPolicy,
): { ok: true; settings: Settings } | DestinationError {
  const { fallbackUrl, rules } = settings;
  const checked: Given = {};
  if (fallbackUrl !== undefined && fallbackUrl !== '') {
    const check = checkTarget(fallbackUrl, policy);
    if (!check.ok)
      return { ok: false, reason: 'invalid_fallback', values: { target: check.reason } };
    checked.fallbackUrl = check.target.href;
  }
  if (rules !== undefined && rules !== '') {
    const stored = fromStoredRules(rules);
    for (const [at, rule] of stored.entries()) {
      const check = checkTarget(rule.to, policy);
      if (!check.ok)
        return {
          ok: false,
          reason: 'invalid_rule',
          values: { target: check.reason, rule: at + 1 },
        };
      rule.to = check.target.href;
    }
    checked.rules = toStoredRules(stored);
  }
  return { ok: true, settings: { ...settings, ...checked } };
}

/** The destinations of stored settings, each once. */
export function destinationsOf({ fallbackUrl = '', rules = '' }: Given): Target[] {
  const hrefs = new Set(fromStoredRules(rules).map(({ to }) => to));
  if (fallbackUrl !== '') hrefs.add(fallbackUrl);
  return [...hrefs].map((href) => ({ href, host: withoutTrailingDot(new URL(href).hostname) }));
}

/** The refusal of a link with this harmful destination, which may be its target. */
export function refuseDestination(
  href: string,
  { fallbackUrl, rules }: Given,
  target: TargetReason,
): DestinationError {
  if (href === fallbackUrl) return { ok: false, reason: 'invalid_fallback', values: { target } };
  const at = fromStoredRules(rules ?? '').findIndex(({ to }) => to === href);
  return at === -1
    ? { ok: false, reason: 'invalid_target', values: { target } }
    : { ok: false, reason: 'invalid_rule', values: { target, rule: at + 1 } };
}

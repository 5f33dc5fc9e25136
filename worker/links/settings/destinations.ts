import type { LinkSettings } from '#contract/link-settings.ts';
import { ARCHIVED_COPY } from '#contract/watch.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import type { LinkReason, LinkRefusal, TargetReason } from '#worker/messages/links.ts';
import { checkTarget, type Target, type TargetPolicy } from '#worker/safety/target.ts';
import { fromStoredRules, fromStoredVariants, toStoredList } from './stored-rules.ts';

/**
 * Where a link leads besides its target: its fallbacks and the destinations of its rules and
 * variants. What holds for a target holds for each of them: the link policy, the blocklist,
 * reputation and moderation.
 */

type Destinations = Pick<LinkSettings, 'fallbackUrl' | 'rules' | 'variants' | 'watchFallback'>;
type Given = Partial<Destinations>;

export type DestinationError = LinkRefusal<
  Extract<
    LinkReason,
    | 'invalid_target'
    | 'invalid_fallback'
    | 'invalid_rule'
    | 'invalid_variant'
    | 'invalid_watch_fallback'
  >
>;

/** Applies the link policy to destinations, and returns them with the hrefs to store. */
export function checkDestinations<Settings extends Given>(
  settings: Settings,
  policy: TargetPolicy,
): { ok: true; settings: Settings } | DestinationError {
  const { fallbackUrl, rules, variants, watchFallback = '' } = settings;
  const checked: Given = {};
  if (fallbackUrl !== undefined && fallbackUrl !== '') {
    const check = checkTarget(fallbackUrl, policy);
    if (!check.ok)
      return { ok: false, reason: 'invalid_fallback', values: { target: check.reason } };
    checked.fallbackUrl = check.target.href;
  }
  if (isAddress(watchFallback)) {
    const check = checkTarget(watchFallback, policy);
    if (!check.ok)
      return { ok: false, reason: 'invalid_watch_fallback', values: { target: check.reason } };
    checked.watchFallback = check.target.href;
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
    checked.rules = toStoredList(stored);
  }
  if (variants !== undefined && variants !== '') {
    const stored = fromStoredVariants(variants);
    for (const [at, variant] of stored.entries()) {
      const check = checkTarget(variant.url, policy);
      if (!check.ok)
        return {
          ok: false,
          reason: 'invalid_variant',
          values: { target: check.reason, variant: at + 1 },
        };
      variant.url = check.target.href;
    }
    checked.variants = toStoredList(stored);
  }
  return { ok: true, settings: { ...settings, ...checked } };
}

const isAddress = (watchFallback: string): boolean =>
  watchFallback !== '' && watchFallback !== ARCHIVED_COPY;

/** The destinations of stored settings, each once. */
export function destinationsOf({
  fallbackUrl = '',
  rules = '',
  variants = '',
  watchFallback = '',
}: Given): Target[] {
  const hrefs = new Set(fromStoredRules(rules).map(({ to }) => to));
  for (const { url } of fromStoredVariants(variants)) hrefs.add(url);
  if (fallbackUrl !== '') hrefs.add(fallbackUrl);
  if (isAddress(watchFallback)) hrefs.add(watchFallback);
  return [...hrefs].map((href) => ({ href, host: withoutTrailingDot(new URL(href).hostname) }));
}

/** The refusal of a link with this harmful destination, which may be its target. */
export function refuseDestination(
  href: string,
  { fallbackUrl, rules, variants, watchFallback }: Given,
  target: TargetReason,
): DestinationError {
  if (href === fallbackUrl) return { ok: false, reason: 'invalid_fallback', values: { target } };
  if (href === watchFallback)
    return { ok: false, reason: 'invalid_watch_fallback', values: { target } };
  const rule = fromStoredRules(rules ?? '').findIndex(({ to }) => to === href) + 1;
  if (rule > 0) return { ok: false, reason: 'invalid_rule', values: { target, rule } };
  const variant = fromStoredVariants(variants ?? '').findIndex(({ url }) => url === href) + 1;
  return variant > 0
    ? { ok: false, reason: 'invalid_variant', values: { target, variant } }
    : { ok: false, reason: 'invalid_target', values: { target } };
}

import type { LinkSettings } from '#contract/links/link-settings.ts';
import { ARCHIVED_COPY } from '#contract/links/watch.ts';
import { withoutTrailingDot } from '#worker/http/origins.ts';
import type { LinkReason, LinkRefusal, TargetReason } from '#worker/messages/links.ts';
import { checkTarget, type Target, type TargetPolicy } from '#worker/safety/target.ts';
import { fromStoredRules, fromStoredVariants, toStoredList } from './stored-rules.ts';

/**
 * Where a link leads besides its target: its fallbacks and the destinations of its rules and
 * variants. Link policy, blocklist, reputation and moderation apply to each of them as to the
 * target.
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

/** The destinations in their order, each with its place for a refusal. */
const listDestinations = ({
  fallbackUrl = '',
  rules = '',
  variants = '',
  watchFallback = '',
}: Given) => [
  { href: fallbackUrl, reason: 'invalid_fallback' as const, place: {} },
  {
    href: watchFallback === ARCHIVED_COPY ? '' : watchFallback,
    reason: 'invalid_watch_fallback' as const,
    place: {},
  },
  ...fromStoredRules(rules).map(({ to: href }, at) => {
    return { href, reason: 'invalid_rule' as const, place: { rule: at + 1 } };
  }),
  ...fromStoredVariants(variants).map(({ url: href }, at) => {
    return { href, reason: 'invalid_variant' as const, place: { variant: at + 1 } };
  }),
];

/** Applies the link policy to destinations, and returns them with the hrefs to store. */
export function checkDestinations<Settings extends Given>(
  settings: Settings,
  policy: TargetPolicy,
): { ok: true; settings: Settings } | DestinationError {
  const hrefs = new Map<string, string>();
  for (const { href, reason, place } of listDestinations(settings)) {
    if (href === '') continue;
    const check = checkTarget(href, policy);
    if (!check.ok) return { ok: false, reason, values: { target: check.reason, ...place } };
    hrefs.set(href, check.target.href);
  }
  const hrefOf = (given: string): string => hrefs.get(given) ?? given;
  const { fallbackUrl, rules, variants, watchFallback } = settings;
  const checked: Given = {};
  if (fallbackUrl !== undefined) checked.fallbackUrl = hrefOf(fallbackUrl);
  if (watchFallback !== undefined) checked.watchFallback = hrefOf(watchFallback);
  if (rules)
    checked.rules = toStoredList(
      fromStoredRules(rules).map((rule) => Object.assign(rule, { to: hrefOf(rule.to) })),
    );
  if (variants)
    checked.variants = toStoredList(
      fromStoredVariants(variants).map((variant) =>
        Object.assign(variant, { url: hrefOf(variant.url) }),
      ),
    );
  return { ok: true, settings: { ...settings, ...checked } };
}

/** The destinations of stored settings, each once. */
export function destinationsOf(settings: Given): Target[] {
  const hrefs = new Set(listDestinations(settings).map(({ href }) => href));
  hrefs.delete('');
  return [...hrefs].map((href) => ({ href, host: withoutTrailingDot(new URL(href).hostname) }));
}

/** The refusal of a link with this harmful destination, which may be its target. */
export function refuseDestination(
  href: string,
  settings: Given,
  target: TargetReason,
): DestinationError {
  const { reason, place } = listDestinations(settings).find((one) => one.href === href) ?? {
    reason: 'invalid_target',
    place: {},
  };
  return { ok: false, reason, values: { target, ...place } };
}

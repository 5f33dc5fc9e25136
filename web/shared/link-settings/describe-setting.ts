import { describeConditions } from '#contract/links/describe-rule.ts';
import type { SettingName, ShownByColumn } from '#contract/links/link-settings.ts';
import type { LinkVariant } from '#contract/links/link-variants.ts';
import { ARCHIVED_COPY } from '#contract/links/watch.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { formatDateTime } from '#web/shared/texts/format.ts';
import { SETTING_FIELDS } from './link-settings.ts';

const NONE = 'none';

/**
 * Returns the value of a setting as text, for the history of a link. Forms do not need it, so it
 * has a file of its own.
 */
export function describeSetting(name: SettingName, settings: Partial<ShownByColumn>): string {
  const { kind, column } = SETTING_FIELDS[name];
  const value = settings[column];
  if (value === undefined || value === null || value === '') return NONE;
  if (kind === 'password') return value ? 'set' : NONE;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (column === 'rules') return describeRules(settings.rules ?? []);
  if (column === 'variants') return describeVariants(settings.variants ?? []);
  if (column === 'watch_fallback' && value === ARCHIVED_COPY) return 'the archived copy';
  if (Array.isArray(value))
    return value.filter((one) => typeof one === 'string').join(', ') || NONE;
  return kind === 'time' ? formatDateTime(value) : String(value);
}

const describeRules = (rules: readonly LinkRule[]): string =>
  rules
    .map(
      ({ if: conditions, to }, at) => `${at + 1}. ${describeConditions(conditions)} Leads to ${to}`,
    )
    .join('\n') || NONE;

const describeVariants = (variants: readonly LinkVariant[]): string =>
  variants.map(({ url, weight }) => `${weight}% to ${url}`).join('\n') || NONE;

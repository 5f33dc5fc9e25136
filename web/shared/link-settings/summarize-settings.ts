import { plural } from '#contract/language.ts';
import type { SettingName } from '#contract/links/link-settings.ts';
import { ARCHIVED_COPY } from '#contract/links/watch.ts';
import { formatDateTime } from '#web/shared/texts/format.ts';
import { hasValue, SETTING_FIELDS, type SettingChanges } from './link-settings.ts';

/** What a folded group says of a setting that has a value. By default, its label and the value. */
const SUMMARIES: { readonly [Name in SettingName]?: (settings: SettingChanges) => string } = {
  rules: ({ rules = [] }) => plural(rules.length, 'rule'),
  variants: ({ variants = [] }) => plural(variants.length, 'variant'),
  startsAt: ({ startsAt }) => `From ${formatDateTime(new Date(startsAt ?? 0).toISOString())}`,
  fallbackUrl: ({ fallbackUrl }) => `Fallback ${fallbackUrl}`,
  password: () => 'Password',
  clickLimitOpen: () => '',
  clickLimit: ({ clickLimit }) => plural(clickLimit ?? 0, 'click'),
  redirectStatus: ({ redirectStatus }) => `Status ${redirectStatus}`,
  forwardParams: ({ forwardParams = [] }) =>
    forwardParams === 'all'
      ? 'Forwards all parameters'
      : `Forwards ${[forwardParams].flat().join(', ') || 'none'}`,
  suggestOnTypo: () => 'Suggested when misspelled',
  watch: ({ watch }) => (watch === 'always' ? 'On, also for one-time addresses' : 'On'),
  watchFallback: ({ watchFallback }) =>
    `${watchFallback === ARCHIVED_COPY ? 'Archived copy' : watchFallback} while unreachable`,
};

export function summarizeSetting(name: SettingName, settings: SettingChanges): string {
  const { label } = SETTING_FIELDS[name];
  const value = settings[name];
  const text = SUMMARIES[name]?.(settings);
  if (text !== undefined) return text;
  if (value === true) return label;
  return `${label}: ${typeof value === 'string' || typeof value === 'number' ? value : 'no'}`;
}

/** Says in one line what is set, or '' if nothing is. */
export const summarizeSettings = (
  names: readonly SettingName[],
  settings: SettingChanges,
): string =>
  names
    .filter((name) => hasValue(name, settings[name]))
    .map((name) => summarizeSetting(name, settings))
    .filter((text) => text !== '')
    .join(' · ');

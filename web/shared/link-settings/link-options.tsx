import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { LinkDetails, type TagProps } from './link-details.tsx';
import {
  hasValue,
  OPTION_GROUPS,
  SETTING_NAMES,
  settingsAt,
  type OptionGroupName,
} from './link-settings.ts';
import { LinkTest } from './lazy-fields.tsx';
import { OptionGroup } from './option-group.tsx';
import { SettingFields, type SettingsProps } from './setting-fields.tsx';
import { summarizeSettings } from './summarize-settings.ts';
import { readUtm } from './utm.ts';
import { UtmFields } from './utm-fields.tsx';

type LinkOptionsProps = SettingsProps & {
  /** The long link as it was typed. UTM values are written into it. */
  longUrl: string;
  onLongUrl: (longUrl: string) => void;
  /** Also shows the details of the link, in a form that does not show them elsewhere. */
  details?: TagProps;
};

/** The settings on which it depends where a link leads, so that there is something to test. */
const TESTED = [
  'expiresAt' as const,
  ...(['destinations', 'times', 'access'] as const).flatMap((group) => settingsAt(group)),
];

const GROUPS: Readonly<Record<OptionGroupName, { title: string; about: string }>> = {
  destinations: {
    title: 'Rules and variants',
    about: 'Send some visitors elsewhere, or divide them.',
  },
  times: {
    title: 'Start and fallback',
    about: 'When it starts, and where it leads after its end.',
  },
  access: { title: 'Password and click limit', about: 'Who may follow the link, and how often.' },
  redirect: {
    title: 'Redirect',
    about: 'Status, forwarded parameters, misspelled codes.',
  },
  checks: { title: 'Destination checks', about: 'Learn when the destination stops working.' },
};
const OPTIONS = OPTION_GROUPS.flatMap((group) => settingsAt(group));

/**
 * A button that shows the UTM values and the less common settings of a link in groups that say what
 * is set. It starts open if the link has any, and opens if one of its fields has an error.
 */
export function LinkOptions({ longUrl, onLongUrl, details, ...settings }: LinkOptionsProps) {
  const id = useId();
  const names = details === undefined ? OPTIONS : SETTING_NAMES;
  const utm = Object.values(readUtm(longUrl)).filter((value) => value !== '');
  const [wanted, setWanted] = useState(
    () => utm.length > 0 || names.some((name) => hasValue(name, settings.settings[name])),
  );
  const isWrong = (name: (typeof names)[number]): boolean => settings.errorAt?.(name) !== undefined;
  const hasError = details?.tagError !== undefined || names.some(isWrong);
  const open = wanted || hasError;
  const [seen, setSeen] = useState(open);
  if (open && !seen) setSeen(true);
  return (
    <div>
      <h2>
        <Button
          size="sm"
          variant="ghost"
          className="-ms-2.5"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setWanted(!open)}
        >
          More options
          <ChevronDown
            className={`size-4 transition-transform duration-150 ${open ? 'rotate-180' : ''}`}
          />
        </Button>
      </h2>
      <div
        id={id}
        hidden={!open}
        className="mt-2 divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
      >
        {(open || seen) && (
          <>
            {details !== undefined && (
              <div className="space-y-4 p-4">
                <LinkDetails {...details} {...settings} />
              </div>
            )}
            <OptionGroup
              title="Campaign (UTM)"
              about="Tell your analytics where visitors come from."
              summary={utm.join(' · ')}
              hasError={false}
            >
              <UtmFields longUrl={longUrl} onLongUrl={onLongUrl} />
            </OptionGroup>
            {OPTION_GROUPS.map((group) => (
              <OptionGroup
                key={group}
                {...GROUPS[group]}
                summary={summarizeSettings(settingsAt(group), settings.settings)}
                hasError={settingsAt(group).some(isWrong)}
              >
                <SettingFields place={group} {...settings} />
              </OptionGroup>
            ))}
            {TESTED.some((name) => hasValue(name, settings.settings[name])) && (
              <OptionGroup
                title="Test it"
                about="Where would these settings send a visitor? Nothing is saved."
                summary=""
                hasError={false}
              >
                <LinkTest longUrl={longUrl} settings={settings.settings} />
              </OptionGroup>
            )}
          </>
        )}
      </div>
    </div>
  );
}

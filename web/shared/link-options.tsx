import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { LinkDetails, type TagProps } from './link-details.tsx';
import { hasValue, SETTING_NAMES, settingsAt } from './link-settings.ts';
import { LinkTest } from './lazy-fields.tsx';
import { SettingFields, type SettingsProps } from './setting-fields.tsx';
import { readUtm } from './utm.ts';
import { UtmFields } from './utm-fields.tsx';

export type LinkOptionsProps = SettingsProps & {
  /** The long link as it was typed. UTM values are written into it. */
  longUrl: string;
  onLongUrl: (longUrl: string) => void;
  /** Also shows the details of the link, in a form that does not show them elsewhere. */
  details?: TagProps;
};

/** Whether where a link leads depends on anything, so that there is something to test. */
const isConditional = (settings: SettingsProps['settings']): boolean =>
  (
    ['startsAt', 'expiresAt', 'fallbackUrl', 'clickLimit', 'rules', 'variants', 'password'] as const
  ).some((name) => hasValue(name, settings[name]));

/**
 * A button that shows the UTM values and the less common settings of a link. It starts open if the
 * link has any, and opens if one of its fields has an error.
 */
export function LinkOptions({ longUrl, onLongUrl, details, ...settings }: LinkOptionsProps) {
  const id = useId();
  const names = details === undefined ? settingsAt('more options') : SETTING_NAMES;
  const [wanted, setWanted] = useState(
    () =>
      Object.values(readUtm(longUrl)).some((value) => value !== '') ||
      names.some((name) => hasValue(name, settings.settings[name])),
  );
  const hasError =
    details?.tagError !== undefined || names.some((name) => settings.errorAt?.(name) !== undefined);
  const open = wanted || hasError;
  return (
    <div>
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
      <div
        id={id}
        hidden={!open}
        className="mt-2 space-y-4 rounded-md border border-line bg-surface p-4"
      >
        {open && (
          <>
            {details !== undefined && <LinkDetails {...details} {...settings} />}
            <UtmFields longUrl={longUrl} onLongUrl={onLongUrl} />
            <SettingFields place="more options" {...settings} />
            {isConditional(settings.settings) && (
              <LinkTest longUrl={longUrl} settings={settings.settings} />
            )}
          </>
        )}
      </div>
    </div>
  );
}

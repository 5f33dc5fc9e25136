import { useState } from 'react';
import { ARCHIVED_COPY, WATCH_MODES, type WatchMode } from '#contract/links/watch.ts';
import { VERBATIM } from '#web/ui/input.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

type WatchFieldProps = {
  mode: string;
  error: string | undefined;
  onMode: (mode: WatchMode) => void;
};

const MODES: Readonly<Record<WatchMode, string>> = {
  off: 'Off',
  on: 'On',
  always: 'On, without exceptions',
};
const ON =
  'Daily while people click the link, otherwise monthly. You get an email if three checks over 24 hours fail. Addresses that look as if they worked once and links with a password are left out.';
const HINTS: Readonly<Record<WatchMode, string>> = {
  off: 'We can check whether the destination still works, and tell you if it does not.',
  on: ON,
  always:
    'Also for one-time addresses and links with a password. Opening such an address may use it up or unsubscribe somebody. The destination learns that the link exists.',
};

const readMode = (text: string): WatchMode => WATCH_MODES.find((mode) => mode === text) ?? 'off';

/** Chooses whether the destination of a link is checked. */
export const WatchField = ({ mode, error, onMode }: WatchFieldProps) => (
  <SelectField
    label="Destination checks"
    error={error}
    hint={HINTS[readMode(mode)]}
    choices={WATCH_MODES.map((one) => [one, MODES[one]] as const)}
    value={readMode(mode)}
    onSelect={(value) => onMode(readMode(value))}
  />
);

type WatchFallbackProps = {
  to: string;
  error: string | undefined;
  onFallback: (to: string) => void;
};

type Choice = 'none' | 'archive' | 'address';
const CHOICES: readonly (readonly [Choice, string])[] = [
  ['none', 'Keep redirecting there'],
  ['archive', 'Lead to the archived copy'],
  ['address', 'Lead to another address'],
];
const CHOICE_HINTS: Readonly<Record<Choice, string>> = {
  none: 'For destinations that are checked.',
  archive:
    'The latest copy at web.archive.org, if there is one. The link leads back when the destination works again.',
  address: 'The link leads back when the destination works again.',
};

const choiceOf = (to: string): Choice =>
  to === '' ? 'none' : to === ARCHIVED_COPY ? 'archive' : 'address';

/** Chooses where a link leads while its destination is unreachable. */
export function WatchFallbackField({ to, error, onFallback }: WatchFallbackProps) {
  // The stored value does not tell an address that is still to be typed from none.
  const [wantsAddress, setWantsAddress] = useState(false);
  const choice = to === '' && wantsAddress ? 'address' : choiceOf(to);
  const select = (chosen: string): void => {
    setWantsAddress(chosen === 'address');
    onFallback(chosen === 'archive' ? ARCHIVED_COPY : '');
  };
  return (
    <div className="space-y-3">
      <SelectField
        label="While the destination is unreachable"
        error={choice === 'address' ? undefined : error}
        hint={CHOICE_HINTS[choice]}
        choices={CHOICES}
        value={choice}
        onSelect={select}
      />
      {choice === 'address' && (
        <TextField
          {...VERBATIM}
          label="Address while it is unreachable"
          error={error}
          dir="ltr"
          inputMode="url"
          value={to}
          onText={onFallback}
        />
      )}
    </div>
  );
}

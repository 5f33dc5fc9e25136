import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { WEEKDAY_NAMES } from '#contract/links/describe-rule.ts';
import { CONDITION_VALUES_MAX } from '#contract/limits.ts';
import type { TimeWindow, Weekday } from '#contract/links/rule-conditions.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxGroup } from '#web/ui/checkbox.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const DAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A window in the reader's time zone, for a condition that is added. */
export const newWindow = (): TimeWindow => ({
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  from: '09:00',
  to: '17:00',
});

/** Edits the windows of time, in any of which a rule applies. */
export function TimeWindowFields({
  windows,
  error,
  onWindows,
}: {
  windows: TimeWindow[];
  error: string | undefined;
  onWindows: (windows: TimeWindow[]) => void;
}) {
  const add = useRef<HTMLButtonElement>(null);
  return (
    <div className="space-y-3">
      {windows.map((window, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- its fields have no state of their own.
        <fieldset key={at} className="min-w-0">
          <legend className="mb-1.5 text-13 font-medium text-ink">
            {windows.length > 1 ? `Time ${at + 1}` : 'Time'}
          </legend>
          <TimeWindowField
            window={window}
            onWindow={(changed) => onWindows(windows.with(at, changed))}
          />
          {windows.length > 1 && (
            <Button
              size="sm"
              variant="ghost"
              className="mt-1 -ms-2.5"
              onClick={() => {
                // From the largest number on, the button to add one appears with the change.
                flushSync(() => onWindows(windows.toSpliced(at, 1)));
                add.current?.focus();
              }}
            >
              <X className="size-4" />
              Remove time {at + 1}
            </Button>
          )}
        </fieldset>
      ))}
      <ErrorText>{error}</ErrorText>
      {windows.length < CONDITION_VALUES_MAX && (
        <Button
          ref={add}
          size="sm"
          variant="ghost"
          className="-ms-2.5"
          onClick={() => onWindows([...windows, windows.at(-1) ?? newWindow()])}
        >
          <Plus className="size-4" />
          Add another time
        </Button>
      )}
    </div>
  );
}

function TimeWindowField({
  window,
  onWindow,
}: {
  window: TimeWindow;
  onWindow: (window: TimeWindow) => void;
}) {
  const { zone, days = [...DAYS], from, to } = window;
  return (
    <div className="space-y-3">
      <div className="grid gap-3 min-[420px]:grid-cols-2">
        <TextField
          label="From"
          type="time"
          value={from}
          onText={(text) => onWindow({ ...window, from: text })}
        />
        <TextField
          label="Until"
          type="time"
          value={to}
          onText={(text) => onWindow({ ...window, to: text })}
        />
      </div>
      <CheckboxGroup
        inline
        legend="Days"
        choices={DAYS.map((value) => ({ value, label: WEEKDAY_NAMES[value] }))}
        chosen={days}
        error={undefined}
        onChange={(chosen) => onWindow(withDays(window, chosen))}
      />
      <TextField
        {...VERBATIM}
        label="Time zone"
        hint="A name such as Europe/Berlin or UTC."
        value={zone}
        onText={(text) => onWindow({ ...window, zone: text })}
      />
    </div>
  );
}

function withDays({ zone, from, to }: TimeWindow, chosen: readonly Weekday[]): TimeWindow {
  const days = DAYS.filter((day) => chosen.includes(day));
  return days.length === DAYS.length ? { zone, from, to } : { zone, days, from, to };
}

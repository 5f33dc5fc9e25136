import { WEEKDAY_NAMES } from '#contract/describe-rule.ts';
import type { TimeWindow, Weekday } from '#contract/rule-conditions.ts';
import { CheckboxGroup } from '#web/ui/checkbox.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const DAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Edits the first window of time in which a rule applies. Others come from the API, and stay. */
export const TimeWindowFields = ({
  windows,
  onWindows,
}: {
  windows: TimeWindow[];
  onWindows: (windows: TimeWindow[]) => void;
}) =>
  windows[0] !== undefined && (
    <TimeWindowField
      window={windows[0]}
      onWindow={(changed) => onWindows(windows.with(0, changed))}
    />
  );

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
      <div className="grid grid-cols-2 gap-3">
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

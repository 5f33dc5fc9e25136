import { ROTATION_HOURS } from '#contract/api-keys.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/input.tsx';

const OVERLAPS = [
  { hours: 0, label: 'Stops at once' },
  { hours: 1, label: 'Works for another hour' },
  { hours: ROTATION_HOURS, label: 'Works for another 24 hours' },
  { hours: 168, label: 'Works for another 7 days' },
];

/** How many hours the present secret stays valid beside a new one. */
export function OverlapField({
  hours,
  onChange,
}: {
  hours: number;
  onChange: (hours: number) => void;
}) {
  return (
    <Field label="Present secret">
      {(control) => (
        <Select
          {...control}
          value={hours}
          onChange={(event) => onChange(Number(event.target.value))}
        >
          {OVERLAPS.map((overlap) => (
            <option key={overlap.hours} value={overlap.hours}>
              {overlap.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

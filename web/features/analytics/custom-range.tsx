import { useState } from 'react';
import { utcDate } from '#contract/reports/periods.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { monthBefore, type Selection } from './range.ts';

type CustomRangeProps = {
  value: Selection;
  onChange: (selection: Selection) => void;
  onClose: () => void;
};

/** Asks for the first and the last day of a range. */
export function CustomRange({ value, onChange, onClose }: CustomRangeProps) {
  const [now] = useState(Date.now);
  const today = utcDate(now);
  const start = 'from' in value ? value : monthBefore(now, 0);
  const [from, setFrom] = useState('from' in start ? start.from : today);
  const [to, setTo] = useState('to' in start ? start.to : today);
  const [submitted, setSubmitted] = useState(false);
  const errors = {
    from: from === '' ? 'Choose the first day.' : from > today ? 'Choose a day up to today.' : '',
    to: to === '' ? 'Choose the last day.' : to < from ? 'Choose a day on or after the first.' : '',
  };
  const submit = (): void => {
    setSubmitted(true);
    if (errors.from === '' && errors.to === '') onChange({ from, to });
  };
  return (
    <FormDialog
      title="Own dates"
      action="Show dates"
      onSubmit={submit}
      onClose={onClose}
      pending={false}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          type="date"
          label="First day"
          value={from}
          max={today}
          error={submitted ? errors.from : ''}
          onText={setFrom}
        />
        <TextField
          type="date"
          label="Last day"
          value={to}
          min={from}
          max={today}
          error={submitted ? errors.to : ''}
          onText={setTo}
        />
      </div>
    </FormDialog>
  );
}

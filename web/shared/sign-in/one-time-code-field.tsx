import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { CheckedText } from './auth-checked-text.ts';

/**
 * A field for a code of six digits from a mail or an app, which phones can fill in. `error` is that
 * of the last request, and `onChange` forgets it.
 */
export const OneTimeCodeField = ({
  label,
  hint,
  code,
  error,
  onChange,
}: {
  label: string;
  hint?: string;
  code: CheckedText;
  error: string;
  onChange: () => void;
}) => (
  <TextField
    {...VERBATIM}
    label={label}
    hint={hint}
    error={code.field.error || error}
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={9}
    className="font-mono tabular-nums tracking-widest"
    value={code.text}
    onText={(text) => {
      code.field.onText(text.replaceAll(/[^\d ]/g, ''));
      onChange();
    }}
  />
);

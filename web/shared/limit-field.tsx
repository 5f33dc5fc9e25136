import { CLICK_LIMIT_MAX } from '#contract/limits.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

type LimitFieldProps = {
  limit: number | null;
  error: string | undefined;
  onLimit: (limit: number | null) => void;
};

const HINT =
  'The link redirects this many clicks, counted from when you set it. A repeated click counts again; bots neither count nor get through.';

/** Edits how many clicks a link redirects. */
export const LimitField = ({ limit, error, onLimit }: LimitFieldProps) => (
  <Field label="Click limit (optional)" hint={HINT} error={error}>
    {(control) => (
      <Input
        {...control}
        type="number"
        inputMode="numeric"
        min={1}
        max={CLICK_LIMIT_MAX}
        value={limit ?? ''}
        onChange={({ target }) => onLimit(target.value === '' ? null : Number(target.value))}
      />
    )}
  </Field>
);

import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useErrorText } from './offline.ts';

export type FieldControl = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
};

/**
 * A form control with its label, error and hint: `<Field label="Email" error={error}>{(control) =>
 * <Input {...control} />}</Field>`. Error and hint describe the control for screen readers.
 */
export function Field({
  label,
  hint,
  error,
  action,
  hideLabel = false,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  action?: ReactNode;
  hideLabel?: boolean;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const errorText = useErrorText(error);
  const hasError = error !== undefined && error !== null && error !== '';
  const describedBy = [hasError ? `${id}-error` : '', hint === undefined ? '' : `${id}-hint`]
    .filter((part) => part !== '')
    .join(' ');
  return (
    <div className="min-w-0">
      <div className={hideLabel ? 'sr-only' : 'mb-1.5 flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className="text-13 font-medium text-ink">
          {label}
        </label>
        {action}
      </div>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': hasError ? true : undefined,
      })}
      {hasError && (
        <p
          id={`${id}-error`}
          role="alert"
          className="mt-1.5 flex items-start gap-1.5 text-13 text-bad"
        >
          <CircleAlert className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{errorText}</span>
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-13 [overflow-wrap:anywhere] text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}

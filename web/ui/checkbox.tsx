import { useId, type ComponentProps, type ReactNode } from 'react';

/** A checkbox with a label. `hint` describes it, for example why it is disabled. */
export function Checkbox({
  label,
  hint,
  ...rest
}: { label: ReactNode; hint?: ReactNode } & Omit<ComponentProps<'input'>, 'type'>) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        {...rest}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-14 text-ink">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-13 text-ink-3">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

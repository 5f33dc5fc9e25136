import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';

/** The text is 16 px on phones, because iOS zooms in on inputs with smaller text. */
export const controlClass =
  'w-full min-w-0 rounded-md border border-line-strong bg-control px-3 text-16 sm:text-14 text-ink placeholder:text-ink-3 transition-colors duration-150 hover:border-ink-3 disabled:bg-disabled disabled:text-ink-3 aria-invalid:border-bad focus-visible:outline-offset-0';

/** Properties that keep browsers from completing or correcting the text. */
export const VERBATIM = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={clsx(controlClass, 'h-9 pointer-coarse:h-11', className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={clsx(controlClass, 'block min-h-28 py-2 leading-6', className)}
      {...rest}
    />
  );
}

export type SelectProps = Omit<ComponentProps<'select'>, 'children' | 'onChange' | 'onSelect'> & {
  choices: readonly (readonly [string | number, string])[];
  onSelect?: (value: string) => void;
};

/**
 * The browser's select, whose list the theme styles where the browser allows it. `className`
 * applies to the whole control, including its arrow.
 */
export function Select({ className, choices, onSelect, ...rest }: SelectProps) {
  return (
    <span className={clsx('relative inline-block w-full min-w-0', className)}>
      <select
        className={clsx(
          controlClass,
          'h-9 appearance-none pe-9 active:bg-pressed pointer-coarse:h-11 supports-[appearance:base-select]:[appearance:base-select]',
        )}
        onChange={(event) => onSelect?.(event.target.value)}
        {...rest}
      >
        {choices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 inset-e-2.5 size-4 -translate-y-1/2 text-ink-3" />
    </span>
  );
}

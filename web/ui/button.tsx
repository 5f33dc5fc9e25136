import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { Spinner } from './spinner.tsx';
import { Link } from './link.tsx';

type Look = {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | undefined;
  size?: 'sm' | 'md' | 'lg' | undefined;
};

const VARIANTS = {
  primary:
    'bg-ink text-canvas border border-transparent hover:bg-ink-2 active:bg-ink-3 disabled:border-line disabled:bg-disabled disabled:text-ink-3',
  secondary:
    'bg-control text-ink border border-line hover:border-line-strong hover:bg-hover active:bg-pressed disabled:border-line disabled:bg-disabled disabled:text-ink-3',
  ghost:
    'text-ink-2 border border-transparent hover:bg-hover hover:text-ink active:bg-pressed disabled:bg-transparent disabled:text-ink-3',
  danger:
    'bg-bad text-canvas border border-transparent hover:bg-bad/90 active:bg-bad/80 disabled:border-line disabled:bg-disabled disabled:text-ink-3',
} as const;
const SIZES = {
  sm: 'h-8 pointer-coarse:h-11 px-2.5 text-13 gap-1.5',
  md: 'h-9 pointer-coarse:h-11 px-3.5 text-14 gap-2',
  lg: 'h-11 px-5 text-16 gap-2',
} as const;

/** Returns the class names of a button, for links that look like one. */
export const buttonClass = ({ variant = 'secondary', size = 'md' }: Look = {}): string =>
  clsx(
    'inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap select-none transition-[background-color,border-color,opacity] duration-150',
    VARIANTS[variant],
    SIZES[size],
  );

/**
 * The class names of a page's main action, which keeps its color while it is disabled. A text says
 * what is missing.
 */
export const MAIN_ACTION =
  'disabled:border-transparent! disabled:bg-ink! disabled:text-canvas/75! disabled:cursor-not-allowed';

/** The class names of a small button that shows only an icon. */
export const iconButtonClass = `${buttonClass({ variant: 'ghost', size: 'sm' })} w-8 px-0! pointer-coarse:w-11`;

/**
 * A button. While `pending` it keeps its size and name, shows a spinner in place of its label and
 * does nothing. It is then disabled for assistive technology only, because the `disabled` attribute
 * would take the focus away from the pressed button.
 */
export function Button({
  variant,
  size,
  pending = false,
  className,
  children,
  disabled,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> & Look & { pending?: boolean }) {
  return (
    <button
      type={type === 'submit' ? 'submit' : 'button'}
      disabled={disabled === true}
      aria-disabled={pending ? true : undefined}
      aria-busy={pending}
      // Enter in a field clicks the form's submit button, so this also stops a second submit.
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={clsx(buttonClass({ variant, size }), pending && 'cursor-default', className)}
      {...rest}
    >
      {/* Without offsets the flex box centers it over the label, so the button keeps its size. */}
      {pending && <Spinner className="absolute size-4" />}
      <span
        className={clsx(
          'inline-flex items-center justify-center gap-[inherit]',
          pending && 'opacity-0',
        )}
      >
        {children}
      </span>
    </button>
  );
}

export function LinkButton({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link className={clsx(buttonClass({ variant, size }), className)} {...rest} />;
}

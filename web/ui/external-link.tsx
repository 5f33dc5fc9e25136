import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { Link, type LinkProps } from './link.tsx';

export const textLinkClass =
  'text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-accent active:opacity-75';

/** A link inside a text to another page of the application. */
export const TextLink = ({ className, ...rest }: LinkProps) => (
  <Link className={clsx(textLinkClass, className)} {...rest} />
);

export function ExternalLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a target="_blank" rel="noopener noreferrer" {...rest}>
      {children}
    </a>
  );
}

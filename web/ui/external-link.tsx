import type { ComponentProps } from 'react';

export const textLinkClass =
  'text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-accent active:opacity-75';

export function ExternalLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a target="_blank" rel="noopener noreferrer" {...rest}>
      {children}
    </a>
  );
}

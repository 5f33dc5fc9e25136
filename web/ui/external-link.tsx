import type { ComponentProps } from 'react';

/** A link in running text. */
export const textLinkClass =
  'text-accent underline decoration-accent/35 underline-offset-3 hover:decoration-accent active:opacity-75';

/** A link that opens a page outside the app's router in a new tab. */
export function ExternalLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a target="_blank" rel="noopener noreferrer" {...rest}>
      {children}
    </a>
  );
}

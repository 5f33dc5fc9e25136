import type { ReactNode } from 'react';
import { LinkButton } from '#web/ui/button.tsx';
import { expectNewLink, openNewLink } from './new-link.ts';

/**
 * Opens the panel for a new link over the page. It is a link to the form on Home, so that it works
 * before the application has started and in a new tab.
 */
export function NewLinkButton({
  label,
  size,
  variant,
  children = label,
}: {
  label: string;
  size?: 'sm' | 'md';
  variant?: 'primary' | 'secondary';
  children?: ReactNode;
}) {
  return (
    <LinkButton
      to="/"
      state={{ newLink: true }}
      aria-label={label}
      aria-haspopup="dialog"
      size={size}
      variant={variant}
      onPointerEnter={expectNewLink}
      onFocus={expectNewLink}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        openNewLink();
      }}
    >
      {children}
    </LinkButton>
  );
}

import type { ComponentProps } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom';

export type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & {
  to: string;
  replace?: boolean;
  state?: unknown;
};

/**
 * A link to a page of the application. The router's `Link` also prefetches route data, which the
 * application does not have, and is 2 KB larger.
 */
export function Link({ to, replace = false, state, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const open = useLinkClickHandler(to, { replace, state });
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) open(event);
      }}
    >
      {children}
    </a>
  );
}

type NavLinkProps = Omit<LinkProps, 'className'> & {
  className?: string | ((state: { isActive: boolean }) => string);
};

/** A link that is highlighted while its page is shown. */
export function NavLink({ className, ...rest }: NavLinkProps) {
  const isActive = useLocation().pathname === rest.to.split(/[?#]/)[0];
  return (
    <Link
      aria-current={isActive ? 'page' : undefined}
      {...rest}
      className={typeof className === 'function' ? className({ isActive }) : className}
    />
  );
}

import type { ComponentProps } from 'react';
import { NavLink } from 'react-router-dom';
import { screenAt } from './pages.ts';
import { preloadScreen } from './screen-loading.ts';

/** The links for everyone (spec §2). */
export const PUBLIC_LINKS = [
  { to: '/blogs', label: 'Blog' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/about', label: 'About' },
  { to: '/privacy', label: 'Privacy' },
  { to: '/terms', label: 'Terms' },
] as const;
/** What members see besides. */
export const MEMBER_LINKS = [
  { to: '/dashboard', label: 'My URLs' },
  { to: '/admin/blogs', label: 'Manage Blogs' },
] as const;

/** What administrators see besides. */
export const ADMIN_LINK = { to: '/admin', label: 'Admin' } as const;

/** A link to a page whose code starts loading when a pointer or the focus is on it. */
export function PageLink({ to, ...rest }: Omit<ComponentProps<typeof NavLink>, 'to'> & { to: string }) {
  const warm = (): void => {
    const load = screenAt(to.split('?')[0] ?? to);
    if (load !== undefined) preloadScreen(load);
  };
  return <NavLink to={to} onPointerEnter={warm} onFocus={warm} {...rest} />;
}

import type { ComponentProps } from 'react';
import { NavLink } from 'react-router-dom';
import { screenOf } from './pages.ts';
import { preloadScreen } from './screen-loading.ts';

/** Shown to members. */
export const MEMBER_LINKS = [
  { to: '/dashboard', label: 'My URLs' },
  { to: '/admin/blogs', label: 'Manage Blogs' },
] as const;

/** Shown to members beside their address. */
export const SETTINGS_LINK = { to: '/settings', label: 'Settings' } as const;

/** Shown to administrators. */
export const ADMIN_LINK = { to: '/admin', label: 'Admin' } as const;

/** A link to a page. The page's code starts loading when the link is hovered or focused. */
export function PageLink({ to, ...rest }: Omit<ComponentProps<typeof NavLink>, 'to'> & { to: string }) {
  const preload = (): void => {
    const screen = screenOf(to.split('?')[0] ?? to);
    if (screen !== undefined) preloadScreen(screen.load);
  };
  return <NavLink to={to} onPointerEnter={preload} onFocus={preload} {...rest} />;
}

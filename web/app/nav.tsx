import type { ComponentProps } from 'react';
import { pageOf } from '#contract/paths.ts';
import { NavLink } from '#web/ui/link.tsx';
import { screenOf } from './pages.ts';
import { preloadScreen } from './screen-loading.ts';

/** Shown to members. */
export const MY_URLS_LINK = { to: '/dashboard', label: 'My URLs' } as const;
export const MANAGE_BLOGS_LINK = { to: '/admin/blogs', label: 'Manage Blogs' } as const;
export const SETTINGS_LINK = { to: '/settings', label: 'Settings' } as const;

/** Shown to administrators. */
export const ADMIN_LINK = { to: '/admin', label: 'Admin' } as const;

/** A link to a page. The page's code starts loading when the link is hovered or focused. */
export function PageLink({ to, ...rest }: ComponentProps<typeof NavLink>) {
  const preload = (): void => {
    const page = pageOf(to.split('?')[0] ?? to);
    if (page !== null) preloadScreen(screenOf(page).load);
  };
  return <NavLink to={to} onPointerEnter={preload} onFocus={preload} {...rest} />;
}

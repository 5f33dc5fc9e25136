import type { ComponentProps } from 'react';
import { pageOf } from '#contract/pages/paths.ts';
import { MEMBER_LINKS } from '#contract/site.ts';
import { NavLink } from '#web/ui/link.tsx';
import { screenOf } from './pages.ts';
import { preloadScreen } from './screen-loading.ts';

export const [MY_URLS_LINK, ANALYTICS_LINK, MANAGE_BLOGS_LINK] = MEMBER_LINKS;
export const PLAN_LINK = { to: '/settings/plan', label: 'Manage plan' } as const;
export const SETTINGS_LINK = { to: '/settings', label: 'Settings' } as const;

export const ADMIN_LINK = { to: '/admin', label: 'Admin' } as const;

/** A link to a page whose code starts loading on hover or focus. */
export function PageLink({ to, ...rest }: ComponentProps<typeof NavLink>) {
  const preload = (): void => {
    const page = pageOf(to.split('?')[0] ?? to);
    if (page !== null) preloadScreen(screenOf(page).load);
  };
  return <NavLink to={to} onPointerEnter={preload} onFocus={preload} {...rest} />;
}

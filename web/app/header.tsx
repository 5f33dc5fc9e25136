import { ChevronDown, Menu as MenuIcon, Plus } from 'lucide-react';
import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { HEADER_LINKS } from '#contract/site.ts';
import { config } from '#web/shared/page/config.ts';
import { NewLinkButton } from '#web/shared/links/new-link-button.tsx';
import { useSession } from '#web/shared/session/session.ts';
import { useMe } from '#web/shared/api/use-me.ts';
import { buttonClass, iconButtonClass } from '#web/ui/button.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { Link } from '#web/ui/link.tsx';
import { Arc } from '#web/ui/arc.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { viewClass } from '#web/ui/selected.ts';
import {
  ADMIN_LINK,
  ANALYTICS_LINK,
  MANAGE_BLOGS_LINK,
  MY_URLS_LINK,
  PageLink,
  SETTINGS_LINK,
} from './nav.tsx';

const entryClass =
  'h-9 shrink-0 items-center rounded-t-md px-2.5 text-14 whitespace-nowrap active:bg-pressed pointer-coarse:h-11';
const linkClass = ({ isActive }: { isActive: boolean }): string =>
  `${entryClass} ${viewClass(isActive)}${isActive ? ' font-medium' : ''}`;

/**
 * The header works without this code, because visitors do not need it and the settings offer the
 * same actions.
 */
const AccountMenu = lazyOr(
  // The build only renders a placeholder, because it does not know the member.
  () =>
    import.meta.env.SSR
      ? new Promise<never>(() => undefined)
      : import('./account-menu.tsx').then((m) => m.AccountMenu),
  SettingsLink,
);

/** Takes the space of the menu button. */
const AccountSpace = () => (
  <span
    aria-hidden="true"
    className="inline-flex size-11 shrink-0 items-center justify-center lg:-me-2 lg:h-9 lg:w-44 lg:justify-start lg:px-2"
  >
    <span className="size-8 rounded-full border border-line-strong bg-hover lg:size-6" />
  </span>
);

function SettingsLink() {
  return (
    <PageLink to={SETTINGS_LINK.to} className={(state) => `inline-flex ${linkClass(state)}`}>
      {SETTINGS_LINK.label}
    </PageLink>
  );
}

/** These pages have a form for a new link or a link to one. */
const PAGES_WITH_NEW_LINK: ReadonlySet<string> = new Set(['/', MY_URLS_LINK.to]);

/** The links that stay in narrower headers. All of them are in the header's menu there. */
const NARROW: Readonly<Record<string, string>> = {
  [MY_URLS_LINK.to]: 'inline-flex',
  [ANALYTICS_LINK.to]: 'inline-flex max-sm:hidden',
};

/**
 * The site header: logo, navigation and account. Members have the pages of the site under *More*.
 * Below 1024 px, the header's menu has every link.
 */
export function Header() {
  const session = useSession();
  const { pathname } = useLocation();
  // This only decides whether the link shows. The server checks the role on every request.
  const { isAdmin } = useMe();
  const isMember = session.status === 'member';
  const links = isMember
    ? [MY_URLS_LINK, ANALYTICS_LINK, MANAGE_BLOGS_LINK, ...(isAdmin ? [ADMIN_LINK] : [])]
    : HEADER_LINKS;
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-canvas">
      <div className="mx-auto flex h-14 w-full max-w-app items-center gap-1 px-4 sm:gap-2 sm:px-6">
        <Link
          to="/"
          className="-ms-1 inline-flex items-center gap-2 rounded-md p-1 text-16 font-semibold tracking-tight lg:me-4"
          aria-label={`${config.siteName}: home page`}
        >
          <Arc />
          {`${config.siteName} `}
        </Link>
        <nav aria-label="Main" className="me-auto flex min-w-0 items-center">
          {links.map((link) => (
            <PageLink
              key={link.to}
              to={link.to}
              className={(state) =>
                `${NARROW[link.to] ?? 'inline-flex max-lg:hidden'} ${linkClass(state)}`
              }
            >
              {/* The space separates the labels in text browsers. */}
              {`${link.label} `}
            </PageLink>
          ))}
          {isMember && (
            <span className="max-lg:hidden">
              <Menu
                label="More"
                items={HEADER_LINKS}
                className={`inline-flex gap-1 ${linkClass({ isActive: false })}`}
              >
                More <ChevronDown className="size-4 text-ink-3" />
              </Menu>
            </span>
          )}
        </nav>
        {session.status === 'member' && (
          <>
            {!PAGES_WITH_NEW_LINK.has(pathname) && (
              <NewLinkButton label="New link" size="sm">
                <Plus className="size-4" />
                <span className="max-sm:hidden">New link</span>
              </NewLinkButton>
            )}
            <Suspense fallback={<AccountSpace />}>
              <AccountMenu email={session.email} />
            </Suspense>
          </>
        )}
        {session.status === 'visitor' && (
          <>
            <PageLink to="/auth" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
              Sign In
            </PageLink>{' '}
            <PageLink
              to="/auth?tab=sign-up"
              className={buttonClass({ variant: 'primary', size: 'sm' })}
            >
              Sign Up
            </PageLink>
          </>
        )}
        <span className="-me-2 lg:hidden">
          <Menu
            label="Menu"
            items={isMember ? [...links, ...HEADER_LINKS] : links}
            className={iconButtonClass}
          >
            <MenuIcon className="size-5" />
          </Menu>
        </span>
      </div>
    </header>
  );
}

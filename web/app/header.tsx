import { ChevronDown, Menu as MenuIcon, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { PUBLIC_LINKS } from '#contract/site.ts';
import { config } from '#web/shared/config.ts';
import { signOut, useSession } from '#web/shared/session.ts';
import { SignOutEverywhere } from '#web/shared/sign-out-everywhere.tsx';
import { useMe } from '#web/shared/use-me.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { ADMIN_LINK, MEMBER_LINKS, PageLink, SETTINGS_LINK } from './nav.tsx';
import { Link } from '#web/ui/link.tsx';

const linkClass = ({ isActive }: { isActive: boolean }): string =>
  `inline-flex h-9 shrink-0 items-center rounded-md px-2.5 text-14 whitespace-nowrap transition-colors duration-150 hover:text-ink ${isActive ? 'text-ink font-medium' : 'text-ink-2'}`;
const menuLinkClass = ({ isActive }: { isActive: boolean }): string =>
  `flex h-11 items-center rounded-md px-3 text-16 hover:bg-sunken ${isActive ? 'font-medium text-ink' : 'text-ink-2'}`;

/** The site header: the logo, the page links, and the account controls. On small screens the links fold into a menu. */
export function Header() {
  const session = useSession();
  const { pathname } = useLocation();
  // Keyed by path: navigating to another page closes the menu.
  const [menuPath, setMenuPath] = useState('');
  const open = menuPath === pathname;
  const [signingOut, setSigningOut] = useState(false);
  const [confirmingAll, setConfirmingAll] = useState(false);
  const navigate = useNavigate();
  const menuButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setMenuPath('');
      menuButton.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);

  const logout = (): void => {
    setSigningOut(true);
    signOut()
      .then(() => navigate('/'))
      .catch(() => toast('We couldn’t log you out. Check your connection and try again.', { tone: 'bad' }))
      .finally(() => setSigningOut(false));
  };
  // Decides only whether the link shows. The server checks the role at every request.
  const { isAdmin } = useMe();
  const isMember = session.status === 'member';
  const links = [...(isMember ? MEMBER_LINKS : []), ...(isAdmin ? [ADMIN_LINK] : []), ...PUBLIC_LINKS];

  return (
    <header className="sticky top-0 z-40 border-b border-line bg-canvas">
      <div className="mx-auto flex h-14 w-full max-w-app items-center gap-2 px-4 sm:px-6">
        <Link
          to="/"
          className="-ml-1 mr-auto inline-flex items-center gap-2 rounded-md p-1 text-16 font-semibold tracking-tight lg:mr-4"
          aria-label={`${config.siteName}: home page`}
        >
          <Logo />
          {config.siteName}
        </Link>
        <nav aria-label="Main" className="mr-auto hidden shrink-0 items-center lg:flex">
          {links.map((link) => (
            <PageLink key={link.to} to={link.to} className={linkClass}>
              {link.label}
            </PageLink>
          ))}
        </nav>
        <div className="hidden min-w-0 items-center gap-1.5 lg:flex">
          {session.status === 'member' && (
            <>
              <span className="max-w-48 min-w-0 truncate text-13 text-ink-3" title={session.email}>
                {session.email}
              </span>
              <PageLink to={SETTINGS_LINK.to} className={linkClass}>
                {SETTINGS_LINK.label}
              </PageLink>
              <Button size="sm" pending={signingOut} onClick={logout}>
                Logout
              </Button>
              <Menu label="Other devices" items={[{ label: 'Sign out everywhere', onSelect: () => setConfirmingAll(true) }]}>
                <ChevronDown className="size-4" aria-hidden="true" />
              </Menu>
            </>
          )}
          {session.status === 'visitor' && (
            <>
              <PageLink to="/auth" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
                Sign In
              </PageLink>
              <PageLink to="/auth?tab=sign-up" className={buttonClass({ variant: 'primary', size: 'sm' })}>
                Sign Up
              </PageLink>
            </>
          )}
        </div>
        {session.status === 'visitor' && (
          <PageLink to="/auth" className={`${buttonClass({ variant: 'ghost', size: 'sm' })} lg:hidden`}>
            Sign In
          </PageLink>
        )}
        {isMember && (
          <PageLink to="/dashboard" className={`${buttonClass({ variant: 'ghost', size: 'sm' })} lg:hidden`}>
            My URLs
          </PageLink>
        )}
        <button
          ref={menuButton}
          type="button"
          aria-expanded={open}
          aria-controls="phone-menu"
          aria-label={open ? 'Close menu' : 'Open menu'}
          onClick={() => setMenuPath(open ? '' : pathname)}
          className="-mr-2 inline-flex size-11 items-center justify-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink lg:hidden"
        >
          {open ? <X className="size-5" aria-hidden="true" /> : <MenuIcon className="size-5" aria-hidden="true" />}
        </button>
      </div>
      {open && (
        <nav
          id="phone-menu"
          aria-label="Menu"
          className="absolute inset-x-0 top-full max-h-[calc(100dvh-3.5rem)] animate-appear overflow-y-auto border-b border-line bg-raised px-2 py-2 shadow-float lg:hidden"
        >
          {links.map((link) => (
            <PageLink key={link.to} to={link.to} className={menuLinkClass}>
              {link.label}
            </PageLink>
          ))}
          <div className="mx-3 my-2 border-t border-line" />
          {session.status === 'member' ? (
            <>
              <p className="truncate px-3 py-1 text-13 text-ink-3">{session.email}</p>
              <PageLink to={SETTINGS_LINK.to} className={menuLinkClass}>
                {SETTINGS_LINK.label}
              </PageLink>
              <div className="grid gap-2 px-3 py-2">
                <Button pending={signingOut} onClick={logout}>
                  Logout
                </Button>
                <Button variant="ghost" onClick={() => setConfirmingAll(true)}>
                  Sign out everywhere
                </Button>
              </div>
            </>
          ) : (
            <div className="grid grid-cols-2 gap-2 px-3 py-2">
              <PageLink to="/auth" className={buttonClass()}>
                Sign In
              </PageLink>
              <PageLink to="/auth?tab=sign-up" className={buttonClass({ variant: 'primary' })}>
                Sign Up
              </PageLink>
            </div>
          )}
        </nav>
      )}
      {isMember && <SignOutEverywhere open={confirmingAll} onClose={() => setConfirmingAll(false)} />}
    </header>
  );
}

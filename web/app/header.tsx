import { ChevronDown, Menu as MenuIcon, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { config } from '#web/shared/config.ts';
import { signOut, useSession } from '#web/shared/session.ts';
import { SignOutEverywhere } from '#web/shared/sign-out-everywhere.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { ADMIN_LINK, MEMBER_LINKS, PageLink, PUBLIC_LINKS } from './nav.tsx';
import { useIsAdmin } from './use-is-admin.ts';

const linkClass = ({ isActive }: { isActive: boolean }): string =>
  `inline-flex h-9 items-center rounded-md px-2.5 text-14 transition-colors duration-150 hover:text-ink ${isActive ? 'text-ink font-medium' : 'text-ink-2'}`;
const menuLinkClass = ({ isActive }: { isActive: boolean }): string =>
  `flex h-11 items-center rounded-md px-3 text-16 hover:bg-sunken ${isActive ? 'font-medium text-ink' : 'text-ink-2'}`;

/** The mark, the pages for everyone, and what a visitor or a member has besides. On a phone all of it folds into a menu. */
export function Header() {
  const session = useSession();
  const { pathname } = useLocation();
  // The menu belongs to the page it was opened on: a navigation closes it.
  const [openAt, setOpenAt] = useState('');
  const open = openAt === pathname;
  const [leaving, setLeaving] = useState(false);
  const [leavingAll, setLeavingAll] = useState(false);
  const navigate = useNavigate();
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpenAt('');
      toggle.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);

  const logout = (): void => {
    setLeaving(true);
    signOut()
      .then(() => navigate('/'))
      .catch(() => toast('Could not log out. Please try again.', { tone: 'bad' }))
      .finally(() => setLeaving(false));
  };
  const member = session.status === 'member';
  const admin = useIsAdmin();
  const links = [...(member ? MEMBER_LINKS : []), ...(admin ? [ADMIN_LINK] : []), ...PUBLIC_LINKS];

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
        <nav aria-label="Main" className="mr-auto hidden items-center lg:flex">
          {links.map((link) => (
            <PageLink key={link.to} to={link.to} end className={linkClass}>
              {link.label}
            </PageLink>
          ))}
        </nav>
        <div className="hidden items-center gap-1.5 lg:flex">
          {session.status === 'member' && (
            <>
              <PageLink to="/settings" className={`${linkClass({ isActive: pathname === '/settings' })} max-w-48 min-w-0`}>
                <span className="truncate">{session.email}</span>
              </PageLink>
              <Button size="sm" pending={leaving} onClick={logout}>
                Logout
              </Button>
              <Menu label="Other devices" items={[{ label: 'Sign out everywhere', onSelect: () => setLeavingAll(true) }]}>
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
        {session.status === 'member' && (
          <PageLink to="/dashboard" className={`${buttonClass({ variant: 'ghost', size: 'sm' })} lg:hidden`}>
            My URLs
          </PageLink>
        )}
        <button
          ref={toggle}
          type="button"
          aria-expanded={open}
          aria-controls="phone-menu"
          aria-label={open ? 'Close menu' : 'Open menu'}
          onClick={() => setOpenAt(open ? '' : pathname)}
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
            <PageLink key={link.to} to={link.to} end className={menuLinkClass}>
              {link.label}
            </PageLink>
          ))}
          <div className="mx-3 my-2 border-t border-line" />
          {session.status === 'member' ? (
            <>
              <PageLink to="/settings" className={menuLinkClass}>
                <span className="truncate">{session.email}</span>
              </PageLink>
              <div className="grid gap-2 px-3 py-2">
                <Button pending={leaving} onClick={logout}>
                  Logout
                </Button>
                <Button variant="ghost" onClick={() => setLeavingAll(true)}>
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
      {member && <SignOutEverywhere open={leavingAll} onClose={() => setLeavingAll(false)} />}
    </header>
  );
}

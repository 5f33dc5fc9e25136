import {
  CreditCard,
  FilePen,
  LogOut,
  MonitorX,
  Settings,
  ShieldCheck,
  Sparkles,
} from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import { PLANS } from '#contract/site.ts';
import { signOut } from '#web/shared/session.ts';
import { SignOutEverywhere } from '#web/shared/sign-out-everywhere.tsx';
import { useMe } from '#web/shared/use-me.ts';
import { toast } from '#web/ui/announcer.ts';
import { Menu } from '#web/ui/menu.tsx';
import type { MenuItem } from '#web/ui/menu-popup.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ADMIN_LINK, MANAGE_BLOGS_LINK, SETTINGS_LINK } from './nav.tsx';

/** From this width on, the header has room for every link. */
const WIDE = '(min-width: 48rem)';

function subscribeToWidth(onChange: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/**
 * Shows the member's address and plan, and the account's pages. On phones it also has the links
 * that the header has no room for.
 */
export function AccountMenu({ email }: { email: string }) {
  const navigate = useNavigate();
  const { me, isAdmin } = useMe();
  const isWide = useSyncExternalStore(subscribeToWidth, () => window.matchMedia(WIDE).matches);
  const [signingOut, setSigningOut] = useState(false);
  const [confirmingAll, setConfirmingAll] = useState(false);
  const logout = (): void => {
    if (signingOut) return;
    setSigningOut(true);
    signOut()
      .then(() => navigate('/'))
      .catch(() =>
        toast('We couldn’t log you out. Check your connection and try again.', { tone: 'bad' }),
      )
      .finally(() => setSigningOut(false));
  };
  const plan = me?.plan_type;
  const items: MenuItem[] = [
    ...(isWide ? [] : [{ ...MANAGE_BLOGS_LINK, icon: <FilePen /> }]),
    ...(!isWide && isAdmin ? [{ ...ADMIN_LINK, icon: <ShieldCheck /> }] : []),
    { ...SETTINGS_LINK, icon: <Settings /> },
    plan === 'free'
      ? {
          to: '/pricing',
          label: `Upgrade to ${PLANS.premium.name}`,
          icon: <Sparkles />,
        }
      : { to: SETTINGS_LINK.to, label: 'Manage plan', icon: <CreditCard /> },
    { label: 'Logout', icon: <LogOut />, onSelect: logout },
    {
      label: 'Sign out everywhere',
      icon: <MonitorX />,
      onSelect: () => setConfirmingAll(true),
    },
  ];
  return (
    <>
      <Menu
        label={`Account of ${email}`}
        tooltip={email}
        items={items}
        heading={
          <>
            <p className="line-clamp-2 max-w-64 text-14 font-medium [overflow-wrap:anywhere]">
              {email}
            </p>
            {plan !== undefined && <p className="text-13 text-ink-3">{PLANS[plan].name} plan</p>}
          </>
        }
        className="-me-1 inline-flex size-11 shrink-0 items-center justify-center rounded-full"
      >
        <span className="inline-flex size-8 items-center justify-center rounded-full border border-line-strong bg-hover text-13 font-medium text-ink uppercase [button:active>&]:bg-pressed [button:hover>&]:border-ink-3">
          {signingOut ? <Spinner className="size-4" /> : (Array.from(email)[0] ?? '?')}
        </span>
      </Menu>
      <SignOutEverywhere open={confirmingAll} onClose={() => setConfirmingAll(false)} />
    </>
  );
}

import { ChevronDown, CreditCard, LogOut, MonitorX, Settings, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { PLANS } from '#contract/site.ts';
import { signOut } from '#web/shared/session/session.ts';
import { readSignOutOffer, SignOutEverywhere } from '#web/shared/sign-in/sign-out-everywhere.tsx';
import { useMe } from '#web/shared/api/use-me.ts';
import { toast } from '#web/ui/announcer.ts';
import { Menu } from '#web/ui/menu.tsx';
import type { MenuItem } from '#web/ui/menu-popup.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { PLAN_LINK, SETTINGS_LINK } from './nav.tsx';
import { THEME_LABELS } from './theme-switch.tsx';
import { chooseTheme, THEMES, toTheme, useTheme } from './theme.ts';

/** Shows the member's address and plan, and the account's pages, theme and sign-out. */
export function AccountMenu({ email }: { email: string }) {
  const navigate = useNavigate();
  const { me } = useMe();
  const theme = useTheme();
  const [signingOut, setSigningOut] = useState(false);
  const [confirmingAll, setConfirmingAll] = useState(false);
  const logout = (): void => {
    if (signingOut) return;
    setSigningOut(true);
    readSignOutOffer()
      .then(async (offerProvider) => {
        await signOut();
        await navigate('/');
        offerProvider();
      })
      .catch(() =>
        toast('We couldn’t log you out. Check your connection and try again.', { tone: 'bad' }),
      )
      .finally(() => setSigningOut(false));
  };
  const plan = me?.plan;
  const items: MenuItem[] = [
    { ...SETTINGS_LINK, icon: <Settings /> },
    plan === 'free'
      ? {
          to: '/pricing',
          label: `Upgrade to ${PLANS.premium.name}`,
          icon: <Sparkles />,
        }
      : { ...PLAN_LINK, icon: <CreditCard /> },
    {
      label: 'Color scheme',
      choices: THEMES.map((value) => {
        const { label, icon: Icon } = THEME_LABELS[value];
        return { value, label, icon: <Icon /> };
      }),
      value: theme,
      onChoose: (value) => chooseTheme(toTheme(value)),
    },
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
        className="group inline-flex size-11 shrink-0 items-center justify-center gap-2 rounded-md lg:-me-2 lg:h-9 lg:w-auto lg:max-w-56 lg:px-2 lg:hover:bg-hover lg:active:bg-pressed"
      >
        <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-full border border-line-strong bg-hover text-13 font-medium text-ink uppercase group-hover:border-ink-3 group-active:bg-pressed lg:size-6 lg:text-12">
          {signingOut ? <Spinner className="size-4" /> : (Array.from(email)[0] ?? '?')}
        </span>
        <span className="min-w-0 truncate text-13 text-ink-2 max-lg:hidden">{email}</span>
        <ChevronDown className="size-4 shrink-0 text-ink-3 max-lg:hidden" />
      </Menu>
      <SignOutEverywhere open={confirmingAll} onClose={() => setConfirmingAll(false)} />
    </>
  );
}

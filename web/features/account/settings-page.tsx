import type { ReactNode } from 'react';
import { config } from '#web/shared/page/config.ts';
import { keepsPasskeys } from '#web/shared/sign-in/passkeys.ts';
import { useSession } from '#web/shared/session/session.ts';
import { SettingsSubpage } from '#web/shared/page/settings-subpage.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';

/** The first section of the settings. `weeklyMail` is its panel for the weekly email. */
export function SettingsPage({ weeklyMail }: { weeklyMail: ReactNode }) {
  const session = useSession();
  const email = session.status === 'member' ? session.email : '';
  const { sso } = config.auth;
  return (
    <SettingsSubpage
      title="Account"
      documentTitle="Settings"
      hint={email === '' ? '' : `Signed in as ${email}`}
    >
      <div className="flex flex-col gap-4">
        {config.auth.passwords && <PasswordPanel email={email} />}
        {config.auth.mode === 'embedded' && <SecondFactorPanel email={email} />}
        {keepsPasskeys() && <PasskeysPanel email={email} />}
        {sso !== null && <ProviderPanel name={sso.name} email={email} />}
        {weeklyMail}
        <DeletePanel email={email} />
      </div>
    </SettingsSubpage>
  );
}

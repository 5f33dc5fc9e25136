import type { ReactNode } from 'react';
import { useSession } from '#web/shared/session.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ApiPanel } from './api-panel.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { AccountExportPanel } from './export-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export function SettingsPage({ plan, weeklyMail }: { plan: ReactNode; weeklyMail: ReactNode }) {
  const session = useSession();
  const email = session.status === 'member' ? session.email : '';
  return (
    <div className="mx-auto w-full max-w-reading">
      <PageHeading title="Settings" hint={email === '' ? '' : `Signed in as ${email}`} />
      <div className="flex flex-col gap-4">
        {plan}
        <PasswordPanel email={email} />
        <SessionsPanel />
        {weeklyMail}
        <ApiPanel />
        <AccountExportPanel />
        <DeletePanel email={email} />
      </div>
    </div>
  );
}

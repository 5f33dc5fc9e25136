import { type ReactNode, useState } from 'react';
import { useSession } from '#web/shared/session.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { AccountExportPanel } from './export-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { SignOutEverywhere } from '#web/shared/sign-out-everywhere.tsx';
import { keepsSessions } from './session-queries.ts';

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

function ApiPanel() {
  return (
    <Panel
      title="API"
      hint="Shorten links and read clicks from your own programs, and be told when links change."
    >
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/settings/api">Manage API keys</LinkButton>
        <LinkButton to="/settings/webhooks">Manage webhooks</LinkButton>
        <LinkButton to="/tools">Tools</LinkButton>
      </div>
    </Panel>
  );
}

/** Links to the list of sessions, and signs out every device, for example after one was lost. */
function SessionsPanel() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Sessions" hint="Logout signs you out in this browser only.">
      <div className="flex flex-wrap gap-2">
        {keepsSessions() && <LinkButton to="/settings/sessions">Manage sessions</LinkButton>}
        <Button onClick={() => setOpen(true)}>Sign out everywhere…</Button>
      </div>
      <SignOutEverywhere open={open} onClose={() => setOpen(false)} />
    </Panel>
  );
}

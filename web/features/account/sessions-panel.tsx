import { useState } from 'react';
import { SignOutEverywhere } from '#web/shared/sign-out-everywhere.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { keepsSessions } from './session-queries.ts';

/** Links to the list of sessions, and signs out every device, for example after one was lost. */
export function SessionsPanel() {
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

import { useState } from 'react';
import { SignOutEverywhere } from '#web/shared/sign-out-everywhere.tsx';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';

/** For a lost device, or a browser that somebody else uses: Logout in the header ends the session of this browser only. */
export function SessionsPanel() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Sessions" hint="Logout ends your session in this browser. This ends it on every device.">
      <Button onClick={() => setOpen(true)}>Sign out everywhere…</Button>
      <SignOutEverywhere open={open} onClose={() => setOpen(false)} />
    </Panel>
  );
}

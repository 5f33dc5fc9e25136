import { useState } from 'react';
import { SignOutEverywhere } from '#web/shared/sign-out-everywhere.tsx';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';

/** Signs out every device, for example after one was lost. */
export function SessionsPanel() {
  const [open, setOpen] = useState(false);
  return (
    <Panel title="Sessions" hint="Logout signs you out in this browser only. This signs you out on every device.">
      <Button onClick={() => setOpen(true)}>Sign out everywhere…</Button>
      <SignOutEverywhere open={open} onClose={() => setOpen(false)} />
    </Panel>
  );
}

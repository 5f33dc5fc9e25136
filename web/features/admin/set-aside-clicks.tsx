import { useState } from 'react';
import type { SystemReport } from '#contract/system.ts';
import { KEEP_SET_ASIDE_DAYS } from '#contract/limits.ts';
import { plural } from '#contract/language.ts';
import { formatAge } from '#web/shared/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useReplaySetAside } from './queries.ts';

export function SetAsideClicks({
  setAside,
  now,
}: {
  setAside: SystemReport['set_aside'];
  now: number;
}) {
  const [isConfirming, setIsConfirming] = useState(false);
  const { mutate, isPending } = useReplaySetAside();
  const size = `${plural(setAside.clicks, 'click')} in ${plural(setAside.windows, 'window')}`;
  return (
    <Panel
      title="Clicks that are set aside"
      hint={`${size}. They are kept for ${KEEP_SET_ASIDE_DAYS} days.`}
      action={
        <Button pending={isPending} onClick={() => setIsConfirming(true)}>
          Count now
        </Button>
      }
    >
      <ul className="divide-y divide-line text-13">
        {setAside.reasons.map(({ reason, windows, clicks, since }) => (
          <li key={reason} className="py-2 first:pt-0 last:pb-0">
            <p className="[overflow-wrap:anywhere]">{reason}</p>
            <p className="text-ink-3 tabular-nums">
              {plural(clicks, 'click')} in {plural(windows, 'window')}, the first{' '}
              {formatAge(since, now)}
            </p>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="Count these clicks?"
        action="Count clicks"
        tone="primary"
        onConfirm={() => {
          setIsConfirming(false);
          mutate();
        }}
      >
        {size} are counted on the days on which they happened. Each counts once, even if it was
        counted before. Visitors are not counted, because their ids are gone.
      </ConfirmDialog>
    </Panel>
  );
}

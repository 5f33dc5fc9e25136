import { formatNumber } from '#contract/language.ts';
import { Button } from '#web/ui/button.tsx';
import { Meter } from '#web/ui/meter.tsx';

/** How far work on many links has come, and a button that stops it. */
export function WorkProgress({
  label,
  done,
  total,
  onStop,
}: {
  label: string;
  done: number;
  total: number;
  onStop: () => void;
}) {
  const text = `${label}: ${formatNumber(done)} of ${formatNumber(total)}`;
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <div className="min-w-40 flex-1 space-y-1.5">
        <progress
          aria-label={label}
          aria-valuetext={text}
          value={done}
          max={total}
          className="sr-only"
        />
        <p className="text-14 font-medium whitespace-nowrap tabular-nums">{text}</p>
        <Meter used={done} limit={total} />
      </div>
      <Button size="sm" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}

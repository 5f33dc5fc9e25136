import { clsx } from 'clsx';

const FILL = { normal: 'bg-ink', warn: 'bg-warn', bad: 'bg-bad' } as const;

/** Shares of the limit. */
const WARN_ABOVE = 0.7;
const BAD_ABOVE = 0.9;

/** The tone of a used share of a limit. */
export function meterTone(used: number, limit: number): keyof typeof FILL {
  const share = limit === 0 ? 1 : used / limit;
  return share > BAD_ABOVE ? 'bad' : share > WARN_ABOVE ? 'warn' : 'normal';
}

/** A bar of `used` in `limit`, capped at the full width. It is for the eye: the words '23 of 25' stand beside it. */
export function Meter({ used, limit }: { used: number; limit: number }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    <div aria-hidden="true" className="h-1.5 w-full overflow-hidden rounded-full bg-line">
      <div
        className={clsx('h-full origin-left rounded-full transition-transform duration-150', FILL[meterTone(used, limit)])}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}

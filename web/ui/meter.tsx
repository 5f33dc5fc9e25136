import { clsx } from 'clsx';

const FILL = { normal: 'bg-ink', warn: 'bg-warn', bad: 'bg-bad' } as const;

/** The tone of a used share: warn above `warn`, bad above `bad` (spec §4: 70 % and 90 %, exclusive). */
export function meterTone(used: number, limit: number, bounds: { warn: number; bad: number }): keyof typeof FILL {
  const share = limit === 0 ? 1 : used / limit;
  return share > bounds.bad ? 'bad' : share > bounds.warn ? 'warn' : 'normal';
}

/** A bar of `used` in `limit`, capped at the full width. It is for the eye: the words '23 of 25' stand beside it. */
export function Meter({ used, limit, bounds }: { used: number; limit: number; bounds: { warn: number; bad: number } }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    <div aria-hidden="true" className="h-1.5 w-full overflow-hidden rounded-full bg-line">
      <div
        className={clsx(
          'h-full origin-left rounded-full transition-transform duration-150',
          FILL[meterTone(used, limit, bounds)],
        )}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}

import { clsx } from 'clsx';

const FILL = { normal: 'bg-ink', warn: 'bg-warn', bad: 'bg-bad' } as const;

/** Shares of the limit. */
const WARN_ABOVE = 0.7;
const BAD_ABOVE = 0.9;

const shareOf = (used: number, limit: number): number => (limit === 0 ? 1 : used / limit);

/** Returns the tone of a usage bar: normal up to 70 %, a warning above that, bad above 90 %. */
export function meterTone(used: number, limit: number): keyof typeof FILL {
  const share = shareOf(used, limit);
  return share > BAD_ABOVE ? 'bad' : share > WARN_ABOVE ? 'warn' : 'normal';
}

/**
 * A usage bar, at most full. It is decorative, so callers show the numbers ('23 of 25') beside it.
 */
export function Meter({ used, limit }: { used: number; limit: number }) {
  const share = Math.min(1, shareOf(used, limit));
  return (
    <div
      aria-hidden="true"
      className="h-1.5 w-full overflow-hidden rounded-full bg-line forced-colors:border"
    >
      <div
        className={clsx(
          'h-full origin-left rtl:origin-right rounded-full transition-transform duration-150 forced-colors:bg-[Highlight]',
          FILL[meterTone(used, limit)],
        )}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}

import { clsx } from 'clsx';
import type { Range } from '#contract/analytics.ts';
import { RANGE_OPTIONS } from './range.ts';

/**
 * Selects the time range with radio buttons, so that arrow keys and screen readers work as usual.
 */
export function RangePicker({
  value,
  ranges = RANGE_OPTIONS.map((range) => range.value),
  onChange,
}: {
  value: Range;
  ranges?: readonly Range[];
  onChange: (range: Range) => void;
}) {
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0 print:hidden">
      <legend className="sr-only">Time range</legend>
      <div className="flex rounded-md border border-line bg-surface p-0.5">
        {RANGE_OPTIONS.filter((range) => ranges.includes(range.value)).map((range) => (
          <label
            key={range.value}
            className={clsx(
              'relative inline-flex h-8 flex-1 items-center justify-center rounded-sm px-1 text-13 font-medium whitespace-nowrap transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-accent sm:px-2.5 pointer-coarse:h-11',
              value === range.value
                ? 'bg-ink text-canvas forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none'
                : 'text-ink-2 hover:bg-hover active:bg-pressed hover:text-ink',
            )}
          >
            <input
              type="radio"
              name="range"
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              value={range.value}
              checked={value === range.value}
              onChange={() => onChange(range.value)}
            />
            {range.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

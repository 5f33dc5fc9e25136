import { formatNumber } from '#contract/language.ts';
import { formatDateInUtc } from '#web/shared/texts/format.ts';
import { formatUtcPeriod } from './format-period.ts';
import type { Bar } from './bars.ts';

/** The clicks by date as bars, which look the same on paper, and as a table for screen readers. */
export function SharedChart({ bars }: { bars: readonly Bar[] }) {
  const [first, last] = [bars[0], bars.at(-1)];
  const most = Math.max(1, ...bars.map(({ clicks }) => clicks));
  return (
    <>
      <div aria-hidden="true">
        <p className="text-12 text-ink-3 tabular-nums">{formatNumber(most)}</p>
        <div className="flex h-40 items-end gap-px border-t border-b border-line">
          {bars.map(({ from, to, clicks }) => (
            <span
              key={from}
              title={`${formatUtcPeriod(from, to)}: ${formatNumber(clicks)}`}
              className="flex h-full min-w-0 flex-1 items-end hover:bg-hover"
            >
              <span
                className="w-full rounded-t-[2px] bg-chart-1 [print-color-adjust:exact] forced-colors:bg-[CanvasText]"
                style={{ height: clicks === 0 ? 0 : `max(2px, ${(100 * clicks) / most}%)` }}
              />
            </span>
          ))}
        </div>
        <p className="mt-1 flex justify-between text-12 text-ink-3">
          <span>{first !== undefined && formatDateInUtc(first.from)}</span>
          {bars.length > 1 && <span>{last !== undefined && formatDateInUtc(last.to)}</span>}
        </p>
      </div>
      <table className="sr-only">
        <caption>Clicks by date</caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Clicks</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ from, to, clicks }) => (
            <tr key={from}>
              <th scope="row">{formatUtcPeriod(from, to)}</th>
              <td>{formatNumber(clicks)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

import type { CountsByName } from '#contract/analytics.ts';
import { KEEP_HOURS_DAYS } from '#contract/limits.ts';
import { plural } from '#contract/language.ts';
import { opacityOf, stepOf } from './color-steps.ts';
import { GridCard, NoRows } from './grid-card.tsx';

/** Every sixth hour has a visible label. The other labels are for screen readers. */
const LABEL_EVERY = 6;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Shows clicks by weekday and hour. `days` is the length of the range, null for 'all'.
 * `clicksByHour` is null under a filter.
 */
export function TimesCard({
  clicksByHour,
  days,
  onClear,
}: {
  clicksByHour: CountsByName | null;
  days: number | null;
  onClear: () => void;
}) {
  const shownDays = Math.min(days ?? KEEP_HOURS_DAYS, KEEP_HOURS_DAYS);
  const period = shownDays === 1 ? 'day' : `${shownDays} days`;
  const content =
    clicksByHour === null ? null : Object.keys(clicksByHour).length === 0 ? (
      <NoRows>{`No clicks in the last ${period}`}</NoRows>
    ) : (
      <HeatMap clicksByHour={clicksByHour} />
    );
  return (
    <GridCard
      title="Times"
      label="Times"
      hint={`The last ${period} by weekday and hour, in your time zone (${ZONE}).`}
      onClear={onClear}
      views={[{ name: 'Times', content }]}
    />
  );
}

function HeatMap({ clicksByHour }: { clicksByHour: CountsByName }) {
  const { minute, weekdays } = sumByWeekdayAndHour(clicksByHour);
  const largest = Math.max(...weekdays.flat());
  const time = (hour: number): string => `${twoDigits(hour)}:${twoDigits(minute)}`;
  const day = weekdays.findIndex((hours) => hours.includes(largest));
  const hour = weekdays[day]?.indexOf(largest) ?? 0;
  const tied = weekdays.flat().filter((clicks) => clicks === largest).length;
  return (
    <div className="px-2 pb-1">
      <table
        dir="ltr"
        className="w-full table-fixed border-separate border-spacing-x-px border-spacing-y-0.5 sm:border-spacing-0.5"
      >
        <caption className="sr-only">Clicks by weekday and hour</caption>
        <thead>
          <tr className="text-12 text-ink-3">
            <th scope="col" className="w-8">
              <span className="sr-only">Weekday</span>
            </th>
            {(weekdays[0] ?? []).map((_, column) => (
              <th
                key={time(column)}
                scope="col"
                className="relative h-5 p-0 text-start font-normal tabular-nums"
              >
                <span
                  className={
                    column % LABEL_EVERY === 0
                      ? 'absolute top-0 inset-s-0 whitespace-nowrap'
                      : 'sr-only'
                  }
                >
                  {time(column)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((hours, row) => (
            <tr key={WEEKDAYS[row]} className="h-6.5">
              <th scope="row" className="p-0 text-start text-12 font-normal text-ink-3">
                <abbr title={WEEKDAYS[row]} className="no-underline">
                  {WEEKDAYS[row]?.slice(0, 3)}
                </abbr>
              </th>
              {hours.map((clicks, column) => (
                <td
                  key={time(column)}
                  className="h-6.5 overflow-hidden rounded-[3px] bg-line/60 p-0 forced-colors:border"
                  title={`${WEEKDAYS[row] ?? ''}, ${time(column)}: ${plural(clicks, 'click')}`}
                >
                  <span
                    className="block size-full overflow-hidden rounded-[3px] bg-chart-1 text-[0px] [print-color-adjust:exact] forced-colors:bg-[Highlight]"
                    style={{ opacity: opacityOf(stepOf(clicks, largest)) }}
                  >
                    {clicks}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1.5 text-13 text-ink-3">
        Busiest: <span className="text-ink-2">{`${WEEKDAYS[day] ?? ''}, ${time(hour)}`}</span>
        {tied > 1
          ? ` and ${plural(tied - 1, 'other hour')}, ${plural(largest, 'click')} each`
          : `, ${plural(largest, 'click')}`}
      </p>
    </div>
  );
}

/**
 * Sums clicks by weekday, Monday first, and by hour in the reader's time zone. Hours start at
 * `minute` in zones whose offset is not a whole number of hours.
 */
export function sumByWeekdayAndHour(clicksByHour: CountsByName): {
  minute: number;
  weekdays: number[][];
} {
  const weekdays = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  let minute = 0;
  for (const [ms, clicks] of Object.entries(clicksByHour)) {
    const start = new Date(Number(ms));
    minute = start.getMinutes();
    const hours = weekdays[(start.getDay() + 6) % 7];
    if (hours !== undefined) hours[start.getHours()] = (hours[start.getHours()] ?? 0) + clicks;
  }
  return { minute, weekdays };
}

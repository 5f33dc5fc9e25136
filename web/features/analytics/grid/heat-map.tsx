import { plural } from '#contract/language.ts';
import { opacityOf, stepOf } from './color-steps.ts';

/** Every sixth hour has a visible label. The other labels are for screen readers. */
const LABEL_EVERY = 6;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** 24 counts for each weekday, Monday first. */
type Weekdays = readonly (readonly number[])[];

export function HeatMap({ weekdays }: { weekdays: Weekdays }) {
  const largest = Math.max(...weekdays.flat());
  const day = weekdays.findIndex((hours) => hours.includes(largest));
  const hour = weekdays[day]?.indexOf(largest) ?? 0;
  const tied = weekdays.flat().filter((clicks) => clicks === largest).length;
  return (
    <>
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
            {HOURS.map((time, column) => (
              <th
                key={time}
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
                  {time}
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
                  key={HOURS[column]}
                  className="h-6.5 overflow-hidden rounded-[3px] bg-line/60 p-0 forced-colors:border"
                  title={`${WEEKDAYS[row] ?? ''}, ${HOURS[column] ?? ''}: ${plural(clicks, 'click')}`}
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
        Busiest:{' '}
        <span className="text-ink-2">{`${WEEKDAYS[day] ?? ''}, ${HOURS[hour] ?? ''}`}</span>
        {tied > 1
          ? ` and ${plural(tied - 1, 'other hour')}, ${plural(largest, 'click')} each`
          : `, ${plural(largest, 'click')}`}
      </p>
    </>
  );
}

/** Clicks by hour of the day, whatever the weekday. */
export function HoursOfDay({ weekdays }: { weekdays: Weekdays }) {
  const counts = HOURS.map((_, hour) =>
    weekdays.reduce((sum, hours) => sum + (hours[hour] ?? 0), 0),
  );
  const largest = Math.max(1, ...counts);
  return (
    <ol dir="ltr" aria-label="Clicks by hour of the day" className="m-0 flex list-none gap-0.5 p-0">
      {counts.map((clicks, hour) => (
        <li
          key={HOURS[hour]}
          className="min-w-0 flex-1"
          title={`${HOURS[hour] ?? ''}: ${plural(clicks, 'click')}`}
        >
          <span className="sr-only">{`${HOURS[hour] ?? ''}: ${plural(clicks, 'click')}`}</span>
          <span aria-hidden="true" className="flex h-24 items-end rounded-[3px] bg-line/60">
            <span
              className="w-full rounded-[3px] bg-chart-1 [print-color-adjust:exact] forced-colors:bg-[Highlight]"
              style={{ height: `${(clicks / largest) * 100}%` }}
            />
          </span>
          <span aria-hidden="true" className="block h-5 text-12 whitespace-nowrap text-ink-3">
            {hour % LABEL_EVERY === 0 && HOURS[hour]}
          </span>
        </li>
      ))}
    </ol>
  );
}

import { plural } from '#contract/language.ts';
import type { TimesResponse } from '#contract/reports/times.ts';
import { NO_CLICKS_IN_RANGE, PATTERN_FROM } from '#web/features/analytics/metrics.ts';
import { formatDateInUtc } from '#web/shared/texts/format.ts';
import { NoRows } from './grid-card.tsx';
import { HeatMap, HoursOfDay } from './heat-map.tsx';

export function TimesCounts({ times }: { times: TimesResponse }) {
  const { totalClicks, clicksByWeekHour, hoursSince } = times;
  const weekdays = Array.from({ length: 7 }, (_, day) =>
    clicksByWeekHour.slice(day * 24, day * 24 + 24),
  );
  if (totalClicks === 0) return <NoRows>{NO_CLICKS_IN_RANGE}</NoRows>;
  return (
    <div className="px-2 pb-1">
      {totalClicks < PATTERN_FROM ? (
        <>
          <p className="pb-2 text-13 text-ink-3">
            Not enough clicks for a pattern yet: {plural(totalClicks, 'click')} by hour of the day.
          </p>
          <HoursOfDay weekdays={weekdays} />
        </>
      ) : (
        <HeatMap weekdays={weekdays} />
      )}
      {hoursSince !== null && (
        <p className="mt-1 text-12 text-ink-3">
          Hours are kept since {formatDateInUtc(hoursSince)}.
        </p>
      )}
    </div>
  );
}

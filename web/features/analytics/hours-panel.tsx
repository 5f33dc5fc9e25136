import type { Counts } from '#contract/analytics.ts';
import { KEEP_HOURS_DAYS } from '#contract/limits.ts';
import { formatNumber, plural } from '#web/shared/format.ts';
import { Panel } from '#web/ui/card.tsx';
import { sumByHourOfDay } from './series.ts';
import { TimeChart } from './time-chart.tsx';
import { useElementWidth } from './use-element-width.ts';

/** Clicks by hour of the day. `days`: the length of the range, null for 'all'. Hours are kept for KEEP_HOURS_DAYS. */
export function HoursPanel({ clicksByHour, days }: { clicksByHour: Counts; days: number | null }) {
  const [box, width] = useElementWidth<HTMLDivElement>();
  const shownDays = Math.min(days ?? KEEP_HOURS_DAYS, KEEP_HOURS_DAYS);
  const points = sumByHourOfDay(clicksByHour).map(({ hour, clicks }) => ({
    id: hour,
    name: `from ${hour}`,
    tick: hour,
    value: clicks,
    previous: null,
  }));
  return (
    <Panel
      title="Clicks by Hour"
      hint={`The last ${shownDays === 1 ? '24 hours' : `${shownDays} days`} by hour of the day, in your time zone.`}
    >
      <div ref={box} className="min-w-0">
        {Object.keys(clicksByHour).length === 0 ? (
          <p className="py-6 text-center text-14 text-ink-3">No clicks in this time</p>
        ) : (
          <TimeChart
            points={points}
            width={width}
            label="Chart: clicks by hour of the day"
            caption="Clicks by hour of the day"
            columns={['Hour', 'Clicks']}
            format={formatNumber}
            whole
            describe={(value) => plural(value, 'click')}
          />
        )}
      </div>
    </Panel>
  );
}

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Counts } from '#contract/analytics.ts';
import { KEEP_HOURS_DAYS } from '#contract/limits.ts';
import { formatNumber } from '#web/shared/format.ts';
import { Panel } from '#web/ui/card.tsx';
import { formatTick, MARGIN, TICK } from '#web/features/analytics/chart-defaults.ts';
import { PointTooltip, type TooltipProps } from '#web/features/analytics/point-tooltip.tsx';
import { sumByHourOfDay } from '#web/features/analytics/series.ts';

/** Labels every sixth hour. */
const TICK_INTERVAL = 5;
const CURSOR = { fill: 'var(--color-line)' };

const HourTooltip = (props: TooltipProps) => <PointTooltip {...props} format={(hour) => `from ${hour}`} />;

/** Clicks by hour of the day. `days`: the length of the range, null for 'all'. Hours are kept for KEEP_HOURS_DAYS. */
export function HoursPanel({ clicksByHour, days }: { clicksByHour: Counts; days: number | null }) {
  const shownDays = Math.min(days ?? KEEP_HOURS_DAYS, KEEP_HOURS_DAYS);
  const points = sumByHourOfDay(clicksByHour);
  return (
    <Panel title="Clicks by Hour" hint={`The last ${shownDays} days by hour of the day, in your time zone.`}>
      {Object.keys(clicksByHour).length === 0 ? (
        <p className="py-6 text-center text-14 text-ink-3">{`No clicks in the last ${shownDays} days`}</p>
      ) : (
        <figure className="m-0 min-w-0">
          <div className="h-56 min-w-0">
            <ResponsiveContainer width="100%" height="100%">
              <BarChart data={points} margin={MARGIN} accessibilityLayer title="Clicks by hour">
                <CartesianGrid vertical={false} stroke="var(--color-line)" />
                <XAxis dataKey="hour" interval={TICK_INTERVAL} tick={TICK} tickLine={false} axisLine={false} tickMargin={8} />
                <YAxis
                  allowDecimals={false}
                  width={36}
                  tick={TICK}
                  tickLine={false}
                  axisLine={false}
                  tickFormatter={formatTick}
                />
                <Tooltip isAnimationActive={false} cursor={CURSOR} content={<HourTooltip />} />
                <Bar dataKey="clicks" fill="var(--color-chart-1)" isAnimationActive={false} />
              </BarChart>
            </ResponsiveContainer>
          </div>
          <table className="sr-only">
            <caption>Clicks by hour of the day</caption>
            <thead>
              <tr>
                <th scope="col">Hour</th>
                <th scope="col">Clicks</th>
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.hour}>
                  <th scope="row">{point.hour}</th>
                  <td>{formatNumber(point.clicks)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </figure>
      )}
    </Panel>
  );
}

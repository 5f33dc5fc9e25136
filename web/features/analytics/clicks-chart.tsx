import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatNumber } from '#web/shared/format.ts';
import { formatTick, MARGIN, TICK } from './chart-defaults.ts';
import { PointTooltip, type TooltipProps } from './point-tooltip.tsx';
import type { Series } from './series.ts';

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const fullDay = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const CURSOR = { stroke: 'var(--color-line-strong)', strokeDasharray: '3 3' };
const DOT = { r: 4, strokeWidth: 2, stroke: 'var(--color-surface)' };

/** Clicks over time as an area chart. Arrow keys move its crosshair, and screen readers get the same numbers as a table. */
export function ClicksChart({ series }: { series: Series }) {
  const formatShort = (date: string): string => (series.step === 'day' ? day : month).format(new Date(date));
  const formatLong = (date: string): string => (series.step === 'day' ? fullDay : month).format(new Date(date));
  return (
    <figure className="m-0 min-w-0">
      <div className="h-56 min-w-0">
        <ResponsiveContainer width="100%" height="100%">
          <AreaChart data={series.points} margin={MARGIN} accessibilityLayer title="Clicks by date">
            <CartesianGrid vertical={false} stroke="var(--color-line)" />
            <XAxis
              dataKey="date"
              tickFormatter={formatShort}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              minTickGap={48}
              tickMargin={8}
            />
            <YAxis allowDecimals={false} width={36} tick={TICK} tickLine={false} axisLine={false} tickFormatter={formatTick} />
            <Tooltip
              isAnimationActive={false}
              cursor={CURSOR}
              content={series.step === 'day' ? <DayTooltip /> : <MonthTooltip />}
            />
            <Area
              type="monotone"
              dataKey="clicks"
              stroke="var(--color-chart-1)"
              strokeWidth={2}
              fill="var(--color-chart-1)"
              fillOpacity={0.12}
              activeDot={DOT}
              isAnimationActive={false}
            />
          </AreaChart>
        </ResponsiveContainer>
      </div>
      <table className="sr-only">
        <caption>{series.step === 'day' ? 'Clicks by day (UTC)' : 'Clicks by month (UTC)'}</caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Clicks</th>
          </tr>
        </thead>
        <tbody>
          {series.points.map((point) => (
            <tr key={point.date}>
              <th scope="row">{formatLong(point.date)}</th>
              <td>{formatNumber(point.clicks)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

const DayTooltip = (props: TooltipProps) => <PointTooltip {...props} format={(date) => fullDay.format(new Date(date))} />;
const MonthTooltip = (props: TooltipProps) => <PointTooltip {...props} format={(date) => month.format(new Date(date))} />;

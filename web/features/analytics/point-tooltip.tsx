import { plural } from '#web/shared/format.ts';

/** The props that recharts passes to a tooltip. The first entry of `payload` is the point under the crosshair. */
export type TooltipProps = { active?: boolean; label?: unknown; payload?: readonly { value?: unknown }[] };

/** The clicks of the point under the crosshair. */
export function PointTooltip({ active, label, payload, format }: TooltipProps & { format: (label: string) => string }) {
  const value = payload?.[0]?.value;
  if (active !== true || typeof label !== 'string' || typeof value !== 'number') return null;
  return (
    <div className="rounded-md border border-line bg-raised px-3 py-2 text-13 shadow-float">
      <p className="font-medium tabular-nums">{plural(value, 'click')}</p>
      <p className="text-ink-3">{format(label)}</p>
    </div>
  );
}

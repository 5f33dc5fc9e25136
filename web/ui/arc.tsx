import { MARK, type ArcShape } from '#contract/pages/brand.ts';

/** An arc of the brand (docs/brand.md). It decorates, so it is hidden from screen readers. */
export function Arc({
  shape = MARK,
  motion,
  className = 'size-6',
}: {
  shape?: ArcShape;
  /** `draw`: it draws itself once. `loop`: it draws itself again and again while a page loads. */
  motion?: 'draw' | 'loop';
  className?: string;
}) {
  const { viewBox, arc, strokeWidth, start, landing } = shape;
  return (
    <svg
      viewBox={viewBox}
      fill="none"
      aria-hidden="true"
      data-motion={motion}
      className={className}
    >
      <path
        d={arc}
        pathLength={1}
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
      />
      <circle cx={start.x} cy={start.y} r={start.radius} fill="currentColor" />
      {landing !== null && (
        <circle cx={landing.x} cy={landing.y} r={landing.radius} className="fill-landing" />
      )}
    </svg>
  );
}

import { MARK } from '#contract/brand.ts';

export function Logo({ className = 'size-6' }: { className?: string }) {
  const { start, landing } = MARK;
  return (
    <svg viewBox={MARK.viewBox} fill="none" aria-hidden="true" className={className}>
      <path
        d={MARK.arc}
        stroke="currentColor"
        strokeWidth={MARK.strokeWidth}
        strokeLinecap="round"
      />
      <circle cx={start.x} cy={start.y} r={start.radius} fill="currentColor" />
      <circle cx={landing.x} cy={landing.y} r={landing.radius} className="fill-landing" />
    </svg>
  );
}

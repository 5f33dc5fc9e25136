import { BROKEN_ARC, LOOPING_ARC } from '#contract/pages/arcs.ts';
import { Arc } from '#web/ui/arc.tsx';

const SHAPES = { broken: BROKEN_ARC, looping: LOOPING_ARC } as const;

export const StatusArc = ({
  shape,
  className,
}: {
  shape: keyof typeof SHAPES;
  className: string;
}) => <Arc shape={SHAPES[shape]} className={className} />;

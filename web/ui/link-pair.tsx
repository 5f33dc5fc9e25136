import { clsx } from 'clsx';
import { LinkButton } from './button.tsx';

type Target = { to: string; label: string };

/** Two ways on, as buttons: the one that most people want, and the other. */
export function LinkPair({
  first,
  second,
  className,
}: {
  first: Target;
  second: Target;
  className?: string;
}) {
  return (
    <div className={clsx('flex flex-wrap gap-2', className)}>
      <LinkButton to={first.to} variant="primary">
        {first.label}
      </LinkButton>
      <LinkButton to={second.to}>{second.label}</LinkButton>
    </div>
  );
}

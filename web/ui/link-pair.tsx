import { clsx } from 'clsx';
import { LinkButton } from './button.tsx';

type Target = { to: string; label: string };

/** Two links as buttons: the main one, and an alternative. */
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

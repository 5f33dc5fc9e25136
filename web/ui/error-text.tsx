import { clsx } from 'clsx';
import { useErrorText } from './offline.ts';

/** An error message below its field or form. Renders nothing for undefined or ''. */
export function ErrorText({
  id,
  children,
  className,
}: {
  id?: string;
  children: string | undefined;
  className?: string;
}) {
  const text = useErrorText(children);
  if (children === undefined || children === '') return null;
  return (
    <p id={id} role="alert" className={clsx('text-13 text-bad', className)}>
      {text}
    </p>
  );
}

import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={clsx('min-w-0 rounded-lg border border-line bg-surface', className)}
      {...rest}
    />
  );
}

export function Panel({
  title,
  hint,
  action,
  children,
}: {
  title: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-3 sm:px-5">
        <div className="min-w-0">
          <h2 className="text-14 font-medium">{title}</h2>
          {hint !== undefined && <p className="text-13 text-ink-3">{hint}</p>}
        </div>
        {action}
      </div>
      <div className="p-4 sm:p-5">{children}</div>
    </Card>
  );
}

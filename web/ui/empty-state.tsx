import type { ReactNode } from 'react';

/** Shown in place of an empty list: one line, with at most one action. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-4 py-14 text-center">
      {icon !== undefined && (
        <span className="mb-4 inline-flex size-10 items-center justify-center rounded-lg border border-line bg-disabled text-ink-3 [&>svg]:size-5">
          {icon}
        </span>
      )}
      <p className="text-16 font-medium">{title}</p>
      {children !== undefined && <p className="mt-1 max-w-[44ch] text-14 text-ink-3">{children}</p>}
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  );
}

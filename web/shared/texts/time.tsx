import type { ReactNode } from 'react';
import { formatDateTime, formatFullTime } from './format.ts';

/** A time on the page. Its tooltip has the full form, because `children` may be short: '2 h ago'. */
export const Time = ({
  at,
  className,
  children = formatDateTime(at),
}: {
  /** RFC 3339. */
  at: string;
  className?: string;
  children?: ReactNode;
}) => (
  <time dateTime={at} data-tooltip={formatFullTime(at)} className={className}>
    {children}
  </time>
);

import { clsx } from 'clsx';
import { ChartNoAxesColumn } from 'lucide-react';
import type { ReactNode } from 'react';
import { plural } from '#contract/language.ts';
import { readableUrl, splitHost } from '#web/shared/texts/format.ts';
import { buttonClass } from '#web/ui/button.tsx';

/**
 * Returns the first letter or digit of the target's host, shown instead of its icon, which would
 * need a request to another site.
 */
export const initialOf = (target: string): string => {
  const host = readableUrl(target).replace(/^www\./, '');
  return (/[\p{L}\p{N}]/u.exec(host)?.[0] ?? '?').toUpperCase();
};

/**
 * The circle in front of a link, with `children` or the initial, which is not part of the page's
 * text.
 */
export function LinkAvatar({
  target,
  tint = 'border-line bg-ink/4 text-ink-2',
  className,
  children,
}: {
  target: string;
  /** The class names of its colors. */
  tint?: string;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <span
      aria-hidden="true"
      data-initial={children === undefined ? initialOf(target) : ''}
      className={clsx(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-full border text-14 font-medium before:content-[attr(data-initial)]',
        tint,
        className,
      )}
    >
      {children}
    </span>
  );
}

/** A short URL whose code stands out. It wraps before the code. */
export function ShortUrl({ url }: { url: string }) {
  const { host, rest } = splitHost(url);
  return (
    <>
      <span className="text-ink-3">{host}/</span>
      <wbr />
      <span>{rest.slice(1)}</span>
    </>
  );
}

export function TargetUrl({ url }: { url: string }) {
  const { host, rest } = splitHost(url);
  return (
    <>
      <span className="font-medium text-ink-2">{host}</span>
      {rest}
    </>
  );
}

/** A target on one line, which the tooltip shows whole. */
export const TargetText = ({ url, className }: { url: string; className: string }) => (
  <p
    dir="ltr"
    data-tooltip={readableUrl(url)}
    className={clsx('truncate text-ink-3 rtl:text-end', className)}
  >
    <TargetUrl url={url} />
  </p>
);

export const clicksClass = `${buttonClass({ size: 'sm' })} rounded-full! tabular-nums`;

/** The text of a link's click count. `clicksClass` styles it. */
export function Clicks({ count }: { count: number }) {
  return (
    <>
      <ChartNoAxesColumn className="size-4 text-ink-3" />
      {plural(count, 'click')}
    </>
  );
}

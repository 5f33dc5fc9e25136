import type { ReactNode } from 'react';
import { readableUrl } from '#web/shared/texts/format.ts';
import { Arc } from '#web/ui/arc.tsx';
import { config } from './config.ts';

/** The head of a printed report: the mark, the name and the host of the site. */
export const PrintedBrand = ({ children }: { children?: ReactNode }) => (
  <p className="mb-4 hidden flex-wrap items-center gap-x-2 text-13 text-ink-2 print:flex">
    <Arc className="size-5" />
    <span className="font-semibold text-ink">{config.siteName}</span>
    <span>{readableUrl(config.appOrigin)}</span>
    {children}
  </p>
);

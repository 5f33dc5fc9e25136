import type { ReactNode } from 'react';
import { useHeadingFocus } from './use-heading-focus.ts';
import { usePageTitle } from './use-page-title.ts';
import { ParentLink, type Parent } from './parent-link.tsx';

/**
 * A page's h1, a line below it, its actions, and the way back to the page above. Sets the
 * document's title and takes the focus after a navigation.
 */
export function PageHeading({
  title,
  children,
  documentTitle,
  action,
  hint,
  parent,
}: {
  /** Also the document's title, unless `documentTitle` is given. */
  title: string;
  children?: ReactNode;
  documentTitle?: string;
  hint?: ReactNode;
  action?: ReactNode;
  parent?: Parent;
}) {
  usePageTitle(documentTitle ?? title);
  const heading = useHeadingFocus();
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {parent !== undefined && <ParentLink {...parent} />}
        <h1
          ref={heading}
          tabIndex={-1}
          className="text-24 font-semibold tracking-tight [overflow-wrap:anywhere] sm:text-32"
        >
          {children ?? title}
        </h1>
        {hint !== undefined && hint !== '' && (
          <p className="mt-1.5 text-14 text-ink-2 [overflow-wrap:anywhere]">{hint}</p>
        )}
      </div>
      {action}
    </div>
  );
}

import { useEffect } from 'react';
import { documentTitle } from '#contract/pages/page-titles.ts';

/** Sets the document's title: 'Pricing · Hop'. An empty `title` keeps the server's title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    if (title !== '') document.title = documentTitle(title);
  }, [title]);
}

import { useState, type ReactNode } from 'react';

type Html = { __html: string };
/** What the build wrote of each part, null where the first page of the visit did not have it. */
const written = new Map<string, Html | null>();

/** Read while the prerendered page is still there. In Node there is none. */
function writtenHtml(id: string): Html | null {
  if (typeof document === 'undefined') return null;
  if (!written.has(id)) {
    const element = document.getElementById(id);
    written.set(id, element && { __html: element.innerHTML });
  }
  return written.get(id) ?? null;
}

/**
 * A part of a prerendered page that nobody can press or focus. The application keeps its HTML as
 * the build wrote it, so that its code never loads; a page that was not prerendered renders
 * `children`.
 */
export function PrerenderedPart({
  id,
  className,
  children,
}: {
  id: string;
  className: string;
  children: ReactNode;
}) {
  const [html] = useState(() => writtenHtml(id));
  return html === null ? (
    <div id={id} className={className}>
      {children}
    </div>
  ) : (
    <div id={id} className={className} dangerouslySetInnerHTML={html} />
  );
}

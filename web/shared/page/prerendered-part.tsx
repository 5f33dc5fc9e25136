import { useState, type ReactNode } from 'react';

type Html = { __html: string };
/** The build's HTML of each part; null if the first page of the visit did not contain it. */
const written = new Map<string, Html | null>();

/** Reads the part while the prerendered page still exists. Returns null in Node. */
function writtenHtml(id: string): Html | null {
  if (typeof document === 'undefined') return null;
  if (!written.has(id)) {
    const element = document.getElementById(id);
    written.set(id, element && { __html: element.innerHTML });
  }
  return written.get(id) ?? null;
}

/**
 * A part of a prerendered page without interactive elements. The application keeps the build's
 * HTML, so its code never loads. A page that was not prerendered renders `children`.
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

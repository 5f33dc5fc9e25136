/**
 * A long address on one line, cut in the middle: the start shrinks as needed, and the last `tail`
 * characters always show.
 */
export function TruncateMiddle({ text, tail = 12 }: { text: string; tail?: number }) {
  const cut = Math.max(0, text.length - tail);
  return (
    <span dir="ltr" className="flex min-w-0 rtl:justify-end" data-tooltip={text}>
      <span className="truncate whitespace-pre">{text.slice(0, cut)}</span>
      <span className="shrink-0 whitespace-pre">{text.slice(cut)}</span>
    </span>
  );
}

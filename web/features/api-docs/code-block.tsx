import { CopyIcon } from '#web/ui/copy-button.tsx';

/** Shows code with a copy button. Long lines scroll inside the block. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="mt-3 flex items-start rounded-lg border border-line bg-sunken">
      <pre
        dir="ltr"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard, too
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto rounded-lg p-4 font-mono text-13 leading-5 text-ink -outline-offset-2"
      >
        <code>{code}</code>
      </pre>
      <div className="shrink-0 py-2.5 pe-2.5">
        <CopyIcon text={code} name={`Copy ${name}`} />
      </div>
    </div>
  );
}

export function Marked({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code
        // oxlint-disable-next-line react/no-array-index-key -- the parts never change their order
        key={index}
        dir="ltr"
        className="font-mono text-[0.925em] [overflow-wrap:anywhere] text-ink"
      >
        {part}
      </code>
    ),
  );
}

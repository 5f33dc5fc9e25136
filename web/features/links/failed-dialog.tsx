import { codeOfKey } from '#contract/codes/code-of-key.ts';
import { plural } from '#contract/language.ts';
import { Dialog } from '#web/ui/dialog.tsx';

export type FailedLine = { code: string; error: string };

/** The links that an action could not change, with the reasons. */
export function FailedDialog({
  failed,
  onClose,
}: {
  failed: readonly FailedLine[];
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${plural(failed.length, 'link')} not changed`}
      closeLabel="Close"
    >
      <FailedLines failed={failed} />
    </Dialog>
  );
}

export const FailedLines = ({ failed }: { failed: readonly FailedLine[] }) => (
  <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line text-13">
    {failed.map(({ code, error }, index) => (
      // Links that were not found have no code.
      <li key={code === '' ? `${index}` : code} className="px-3 py-2">
        <span className="font-mono text-ink [overflow-wrap:anywhere]">{codeOfKey(code)}</span>
        <span className="block text-ink-2">{error}</span>
      </li>
    ))}
  </ul>
);

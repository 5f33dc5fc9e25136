import { Download, Printer } from 'lucide-react';
import { SITE_NAME } from '#contract/site.ts';
import { PrintedBrand } from '#web/shared/page/printed-brand.tsx';
import { saveFile } from '#web/shared/page/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';

/** Shows recovery codes, which are never shown again. Only they are printed (base.css). */
export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}) {
  const text = codes.join('\n');
  return (
    <Dialog open onClose={onClose} title="Save your recovery codes">
      <p className="text-14 text-ink-2">
        This is the only time we show them. Each works once, in place of a code from your app. Keep
        them somewhere you can reach without your phone.
      </p>
      <div data-print-only className="mt-4">
        <PrintedBrand>Recovery codes</PrintedBrand>
        <ul
          aria-label="Recovery codes"
          className="grid gap-y-1 rounded-md border border-line bg-sunken px-3 py-2 font-mono text-14"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div data-first-focus className="mt-4 flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <Button
          onClick={() =>
            saveFile(
              new Blob([`Recovery codes for ${SITE_NAME}\n\n${text}\n`]),
              'recovery-codes.txt',
            )
          }
        >
          <Download aria-hidden className="size-4" />
          Download codes
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          Print codes
        </Button>
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I saved them
        </Button>
      </DialogActions>
    </Dialog>
  );
}

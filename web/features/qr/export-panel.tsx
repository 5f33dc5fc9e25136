import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatNumber } from '#contract/language.ts';
import { rememberQr } from '#web/shared/links/stored-first-steps.ts';
import { saveFile } from '#web/shared/page/save-file.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Select } from '#web/ui/input.tsx';
import type { QrDrawing } from './draw-qr.ts';
import { exportQr, PNG_SIDES, PRINT_SIDES, type ExportChoice } from './export-qr.ts';
import { ErrorText } from '#web/ui/error-text.tsx';

/** Saves the code as a file. `blocked` says why it cannot be exported; null if it can. */
export function QrExportPanel({
  code,
  drawing,
  blocked,
  children,
}: {
  code: string;
  drawing: QrDrawing;
  blocked: string | null;
  /** What the files have besides the code. */
  children?: ReactNode;
}) {
  const [px, setPx] = useState<number>(1024);
  const [mm, setMm] = useState<number>(30);
  const [saving, setSaving] = useState('');
  const save = useAsyncAction(async (choice: ExportChoice) => {
    const { blob, ending } = await exportQr(drawing, choice);
    saveFile(blob, `qr-code-${code}${ending}`);
    rememberQr();
    announce('Downloaded.');
  });
  const download = (format: string, choice: ExportChoice) => (
    <Button
      disabled={blocked !== null}
      pending={save.pending && format === saving}
      onClick={({ detail }) => {
        // The second press of a double click would save the file again.
        if (save.pending || detail > 1) return;
        setSaving(format);
        save.run(choice);
      }}
      className="w-36"
    >
      <Download className="size-4" />
      Download {format}
    </Button>
  );
  return (
    <Panel title="Export">
      <div className="space-y-3">
        {children}
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Select
            className="min-w-28 flex-1"
            aria-label="Size of the PNG file"
            value={px}
            choices={PNG_SIDES.map((side) => [side, `${formatNumber(side)} px`])}
            onSelect={(side) => setPx(Number(side))}
          />
          {download('PNG', { format: 'png', px })}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Select
            className="min-w-28 flex-1"
            aria-label="Print size of the PDF file"
            value={mm}
            choices={PRINT_SIDES.map((side) => [side, `${side} mm`])}
            onSelect={(side) => setMm(Number(side))}
          />
          {download('PDF', { format: 'pdf', mm })}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="min-w-28 flex-1 text-13 text-ink-3">For any size</span>
          {download('SVG', { format: 'svg' })}
        </div>
        <p className="text-13 text-ink-3">
          {blocked !== null
            ? 'Exports are off because scanners could not read this code.'
            : `At ${mm} mm, phones can scan it from about ${mm} cm away. Scan a print before you make many.`}
        </p>
        {save.error !== null && (
          <ErrorText>The file could not be created. Try again, or choose a smaller size.</ErrorText>
        )}
      </div>
    </Panel>
  );
}

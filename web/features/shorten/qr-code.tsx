import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { QrResponse } from '#contract/links.ts';
import { api } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/save-file.ts';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { svgToPng } from './svg-to-png.ts';

/** The QR code of a short link, with a button that downloads it as a PNG. */
export function QrCode({ code }: { code: string }) {
  const qr = useAsyncAction((shortCode: string) => api<QrResponse>(`/api/qr/${encodeURIComponent(shortCode)}`));
  const download = useAsyncAction(async (image: string) => saveFile(await svgToPng(image), `qr-code-${code}.png`));
  const requested = useRef('');
  useEffect(() => {
    if (requested.current === code) return;
    requested.current = code;
    qr.run(code);
  }, [code, qr]);
  if (qr.error !== null) return <ErrorLine message="The QR code could not be loaded." onRetry={() => qr.run(code)} />;
  const source = qr.data?.qrCode;
  return (
    <div className="flex items-center gap-4 sm:flex-col sm:items-stretch sm:gap-3">
      <div className="size-28 shrink-0 rounded-md border border-line bg-paper p-1.5 sm:size-40">
        {source === undefined ? (
          <Skeleton className="size-full" />
        ) : (
          <img src={source} alt={`QR code for the short link ${code}`} className="size-full" />
        )}
      </div>
      <div>
        <Button
          size="sm"
          className="sm:w-full"
          disabled={source === undefined}
          pending={download.pending}
          onClick={() => source !== undefined && download.run(source)}
        >
          <Download className="size-4" aria-hidden="true" />
          Download QR
        </Button>
        {download.error !== null && (
          <p role="alert" className="mt-1.5 max-w-40 text-13 text-bad">
            The image could not be created. Try again.
          </p>
        )}
      </div>
    </div>
  );
}

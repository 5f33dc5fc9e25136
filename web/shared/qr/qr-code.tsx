import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { QrResponse } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { rememberQr } from '#web/shared/links/stored-first-steps.ts';
import { saveFile } from '#web/shared/page/save-file.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { svgToPng } from './svg-to-png.ts';
import { ErrorText } from '#web/ui/error-text.tsx';

/**
 * Returns the QR code of a short link as an image source, loaded when `code` is first shown, and a
 * function that saves it as a PNG, under `name`.
 */
export function useQrCode(code: string, name: string) {
  const qr = useAsyncAction((shortCode: string) =>
    api<QrResponse>(`/api/qr/${encodeURIComponent(shortCode)}`),
  );
  const download = useAsyncAction(async (image: string) => {
    saveFile(await svgToPng(image), `qr-code-${name}.png`);
    rememberQr();
  });
  const requested = useRef('');
  useEffect(() => {
    if (requested.current === code) return;
    requested.current = code;
    qr.run(code);
  }, [code, qr]);
  return {
    source: qr.data?.qrCode,
    failed: qr.error !== null,
    refetch: () => qr.run(code),
    download,
  };
}

type Qr = ReturnType<typeof useQrCode>;

export function QrImage({
  source,
  name,
  className,
}: {
  source: string | undefined;
  name: string;
  className: string;
}) {
  return (
    <div className={`shrink-0 rounded-md border border-line bg-paper ${className}`}>
      {source === undefined ? (
        <Skeleton className="size-full" />
      ) : (
        <img src={source} alt={`QR code for the short URL ${name}`} className="size-full" />
      )}
    </div>
  );
}

export function DownloadQr({
  qr: { source, download },
  className = '',
}: {
  qr: Qr;
  className?: string;
}) {
  return (
    <div>
      <Button
        size="sm"
        className={className}
        disabled={source === undefined}
        pending={download.pending}
        onClick={() => source !== undefined && download.run(source)}
      >
        <Download className="size-4" />
        Download QR
      </Button>
      {download.error !== null && (
        <ErrorText className="mt-1.5 max-w-40">
          The image could not be created. Try again.
        </ErrorText>
      )}
    </div>
  );
}

export const QR_FAILED = 'The QR code could not be loaded.';

/** Returns the path of the page on which owners design a link's QR code. */
export const studioPath = (code: string): string => `/qr/${encodeURIComponent(code)}`;

/** The QR code of a short link with a PNG download. With `own`, it also links to the studio. */
export function QrCode({
  code,
  name,
  own,
}: {
  code: string;
  /** The code without its domain. */
  name: string;
  own: boolean;
}) {
  const qr = useQrCode(code, name);
  if (qr.failed) return <ErrorLine message={QR_FAILED} query={qr} />;
  return (
    <div className="flex items-center gap-4 sm:flex-col sm:items-stretch sm:gap-3">
      <QrImage
        source={qr.source}
        name={name}
        className="size-28 p-1.5 sm:size-40 [&>img]:animate-grow"
      />
      <div>
        <DownloadQr qr={qr} className="sm:w-full" />
        {own && (
          <Link
            to={studioPath(code)}
            className="mt-2 block text-center text-13 text-accent hover:underline"
          >
            Customize QR
          </Link>
        )}
      </div>
    </div>
  );
}

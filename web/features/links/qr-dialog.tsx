import { Pencil, Printer } from 'lucide-react';
import type { ListedLink } from '#contract/links/links.ts';
import { rememberQr } from '#web/shared/links/stored-first-steps.ts';
import { codeOf, readableUrl } from '#web/shared/texts/format.ts';
import { DownloadQr, QR_FAILED, QrImage, studioPath, useQrCode } from '#web/shared/qr/qr-code.tsx';
import { Arc } from '#web/ui/arc.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';

/**
 * Shows a link's QR code to print or download. Only the code and the short URL are printed
 * (base.css).
 */
export function QrDialog({ link, onClose }: { link: ListedLink; onClose: () => void }) {
  const name = codeOf(link.short_url);
  const qr = useQrCode(link.short_code, name);
  return (
    <Dialog open onClose={onClose} title={`QR code of ${name}`}>
      {qr.failed ? (
        <ErrorLine message={QR_FAILED} query={qr} />
      ) : (
        <>
          <figure data-print-only className="flex flex-col items-center gap-3">
            <QrImage source={qr.source} name={name} className="size-56 p-2" />
            <figcaption className="text-center font-mono text-14 [overflow-wrap:anywhere]">
              <Arc className="mx-auto mb-2 hidden size-8 print:block" />
              {readableUrl(link.short_url)}
            </figcaption>
          </figure>
          <div className="mt-5 flex flex-wrap gap-2 [&>*]:flex-1">
            <Button
              size="sm"
              variant="primary"
              disabled={qr.source === undefined}
              onClick={() => {
                rememberQr();
                window.print();
              }}
            >
              <Printer className="size-4" />
              Print
            </Button>
            <DownloadQr qr={qr} className="w-full" />
            <LinkButton size="sm" to={studioPath(link.short_code)}>
              <Pencil className="size-4" />
              Customize QR
            </LinkButton>
          </div>
        </>
      )}
    </Dialog>
  );
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { QrResponse } from '#contract/links.ts';
import { api } from '#web/shared/api.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { drawPng, saveBlob } from './png.ts';

/** The QR code of a short link, and its download as a PNG named after the code. */
export function Qr({ code }: { code: string }) {
  const qr = useQuery({
    queryKey: ['qr', code],
    queryFn: ({ signal }) => api<QrResponse>(`/api/qr/${encodeURIComponent(code)}`, { signal }),
    staleTime: Infinity,
  });
  const download = useMutation({
    mutationFn: async (source: string) => saveBlob(await drawPng(source), `qr-code-${code}.png`),
  });
  if (qr.isError)
    return <ErrorLine message="The QR code did not load." retrying={qr.isFetching} onRetry={() => void qr.refetch()} />;
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
          pending={download.isPending}
          onClick={() => source !== undefined && download.mutate(source)}
        >
          <Download className="size-4" aria-hidden="true" />
          Download QR
        </Button>
        {download.isError && (
          <p role="alert" className="mt-1.5 max-w-40 text-13 text-bad">
            The image could not be made. Please try again.
          </p>
        )}
      </div>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import type {
  CreatedSharedReport,
  SharedReport,
  SharedReportChange,
  SharedReportInput,
  SharedReportsResponse,
  SharedReportView,
} from '#contract/reports/shared-reports.ts';
import { api } from '#web/shared/api/api.ts';
import { copyWhenReady } from '#web/shared/page/copy-when-ready.ts';
import { useSend } from '#web/shared/api/use-send.ts';

const REPORTS = [['shared-reports']];
const pathOf = (id: string): string => `/api/shared-reports/${encodeURIComponent(id)}`;

export const useSharedReports = () =>
  useQuery({
    queryKey: ['shared-reports'],
    queryFn: ({ signal }) => api<SharedReportsResponse>('/api/shared-reports', { signal }),
  });

/** `copied` tells whether the browser has copied the address. */
export type Shared = { report: CreatedSharedReport; copied: Promise<boolean> };

/** Shares a report and copies its address, which starts with the press of the button. */
export const useShareReport = (onDone: (shared: Shared) => void) =>
  useSend(
    async (body: SharedReportInput): Promise<Shared> => {
      const response = api<CreatedSharedReport>('/api/shared-reports', { method: 'POST', body });
      const copied = copyWhenReady(response.then(({ address }) => address));
      return { report: await response, copied };
    },
    REPORTS,
    onDone,
  );

export const useChangeReport = (id: string, onDone: () => void) =>
  useSend(
    (body: SharedReportChange) => api<SharedReport>(pathOf(id), { method: 'PATCH', body }),
    REPORTS,
    onDone,
  );

export const useStopSharing = (id: string, onDone: () => void) =>
  useSend(() => api(pathOf(id), { method: 'DELETE' }), REPORTS, onDone);

/** Opens a report. A wrong password must not be sent again, because every try counts. */
export const useSharedReport = (secret: string, password: string | null) =>
  useQuery({
    queryKey: ['shared-report', secret, password],
    queryFn: ({ signal }) =>
      api<SharedReportView>('/api/shared-report', {
        method: 'POST',
        body: { secret, ...(password !== null && { password }) },
        signal,
      }),
    enabled: secret !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

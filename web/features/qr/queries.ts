import { useQuery } from '@tanstack/react-query';
import type { ListedLink } from '#contract/links/links.ts';
import type {
  QrPreset,
  QrPresetChange,
  QrPresetsResponse,
  QrStyle,
} from '#contract/presets/qr-presets.ts';
import { api } from '#web/shared/api/api.ts';
import { useSend } from '#web/shared/api/use-send.ts';

const KEY = ['qr-presets'];
const pathOf = (id: number): string => `/api/qr-presets/${id}`;

export const useOwnLink = (code: string) =>
  useQuery({
    queryKey: ['link', code],
    queryFn: ({ signal }) => api<ListedLink>(`/api/links/${encodeURIComponent(code)}`, { signal }),
  });

export const usePresets = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await api<QrPresetsResponse>('/api/qr-presets', { signal })).presets,
  });

/** Changes the presets and reloads them before the change counts as done. */
const usePresetChange = <Input, Output>(
  send: (input: Input) => Promise<Output>,
  onDone: (output: Output) => void,
) => useSend(send, [KEY], onDone, { waits: true });

export const useCreatePreset = (onDone: (preset: QrPreset) => void) =>
  usePresetChange(
    (body: { name: string; style: QrStyle; logo: string }) =>
      api<QrPreset>('/api/qr-presets', { method: 'POST', body }),
    onDone,
  );

export const useChangePreset = (onDone: (preset: QrPreset) => void) =>
  usePresetChange(
    ({ id, ...body }: QrPresetChange & { id: number }) =>
      api<QrPreset>(pathOf(id), { method: 'PATCH', body }),
    onDone,
  );

export const useDeletePreset = (onDone: () => void) =>
  usePresetChange((id: number) => api(pathOf(id), { method: 'DELETE' }), onDone);

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkRow } from '#contract/links.ts';
import type { QrPreset, QrPresetChange, QrPresetsResponse, QrStyle } from '#contract/qr-presets.ts';
import { api } from '#web/shared/api.ts';

const KEY = ['qr-presets'];
const pathOf = (id: number): string => `/api/qr-presets/${id}`;

/** One of the member's links. */
export const useOwnLink = (code: string) =>
  useQuery({
    queryKey: ['link', code],
    queryFn: ({ signal }) => api<LinkRow>(`/api/links/${encodeURIComponent(code)}`, { signal }),
  });

/** The member's presets, by name. */
export const usePresets = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await api<QrPresetsResponse>('/api/qr-presets', { signal })).presets,
  });

/** Sends a change of the presets, and loads them again before the change counts as done. */
function usePresetAction<Input, Output>(
  send: (input: Input) => Promise<Output>,
  onDone: (output: Output) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: async (output) => {
      await queries.invalidateQueries({ queryKey: KEY });
      onDone(output);
    },
  });
}

export const useCreatePreset = (onDone: (preset: QrPreset) => void) =>
  usePresetAction(
    (body: { name: string; style: QrStyle; logo: string }) =>
      api<QrPreset>('/api/qr-presets', { method: 'POST', body }),
    onDone,
  );

export const useChangePreset = (onDone: (preset: QrPreset) => void) =>
  usePresetAction(
    ({ id, ...body }: QrPresetChange & { id: number }) =>
      api<QrPreset>(pathOf(id), { method: 'PATCH', body }),
    onDone,
  );

export const useDeletePreset = (onDone: () => void) =>
  usePresetAction((id: number) => api<unknown>(pathOf(id), { method: 'DELETE' }), onDone);

import { useState, type ReactNode } from 'react';
import type { ListedLink } from '#contract/links/links.ts';
import { api } from '#web/shared/api/api.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { toastFailure } from '#web/ui/announcer.ts';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';

const EditDialog = lazyPopup(async () => {
  const [{ withQueryClient }, { EditDialog: Dialog }] = await Promise.all([
    import('./query-client.tsx'),
    import('#web/features/links/edit-dialog.tsx'),
  ]);
  return withQueryClient(Dialog);
});

/**
 * Returns a function that loads one of the member's links and opens its form, and that form, or
 * null.
 */
export function useEditLink(onClose: () => void = () => undefined): {
  pending: boolean;
  run: (code: string) => void;
  dialog: ReactNode;
} {
  const [link, setLink] = useState<ListedLink | null>(null);
  const { pending, run } = useAsyncAction(
    (code: string) =>
      api<ListedLink>(`/api/links/${encodeURIComponent(code)}`).catch((error: Error) => {
        toastFailure(error, 'The link could not be loaded.');
        throw error;
      }),
    setLink,
  );
  const close = (): void => {
    setLink(null);
    onClose();
  };
  return { pending, run, dialog: link && <EditDialog link={link} onClose={close} /> };
}

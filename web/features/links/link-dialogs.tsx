import type { ComponentType } from 'react';
import type { ListedLink } from '#contract/links/links.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { codeOf } from '#web/shared/texts/format.ts';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import type { DialogAction } from './link-row.tsx';
import { useUpdateLink } from './queries.ts';

type Props = { link: ListedLink; onClose: () => void };

const EditDialog = lazyPopup(() => import('./edit-dialog.tsx').then((m) => m.EditDialog));
const RenameDialog = lazyPopup(() => import('./rename-dialog.tsx').then((m) => m.RenameDialog));
const CardDialog = lazyPopup(() => import('./card-dialog.tsx').then((m) => m.CardDialog));
const HistoryDialog = lazyPopup(() => import('./history-dialog.tsx').then((m) => m.HistoryDialog));
const QrDialog = lazyPopup(() => import('./qr-dialog.tsx').then((m) => m.QrDialog));

const DIALOGS: Readonly<Record<DialogAction, ComponentType<Props>>> = {
  edit: EditDialog,
  rename: RenameDialog,
  card: CardDialog,
  history: HistoryDialog,
  qr: QrDialog,
  toggle: ToggleDialog,
};

export function LinkDialog({ action, ...props }: Props & { action: DialogAction }) {
  const Opened = DIALOGS[action];
  return <Opened {...props} />;
}

function ToggleDialog({ link, onClose }: Props) {
  const enable = link.status === 'disabled';
  const change = useUpdateLink(() => {
    toast(enable ? 'Link enabled.' : 'Link disabled.');
    onClose();
  });
  return (
    <ConfirmDialog
      open
      title={enable ? 'Enable this link?' : 'Disable this link?'}
      action={enable ? 'Enable link' : 'Disable link'}
      tone={enable ? 'primary' : 'danger'}
      pending={change.isPending}
      error={change.error?.message ?? ''}
      onConfirm={() => change.mutate({ code: link.short_code, change: { enabled: enable } })}
      onClose={onClose}
    >
      <p>
        <span className="font-mono text-ink">{codeOf(link.short_url)}</span>{' '}
        {enable
          ? 'will redirect to its destination again.'
          : `will stop redirecting. ${DISABLE_PROMISE} You keep its click counts and can enable it again.`}
      </p>
    </ConfirmDialog>
  );
}

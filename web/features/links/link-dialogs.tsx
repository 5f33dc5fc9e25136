import type { ComponentType } from 'react';
import type { ListedLink } from '#contract/links.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { plural } from '#contract/language.ts';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import type { DialogAction } from './link-row.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { QrDialog } from './qr-dialog.tsx';
import { useLinkAction, useUpdateLink } from './queries.ts';
import { useUndo } from './use-undo.ts';

type Props = { link: ListedLink; onClose: () => void };

const EditDialog = lazyPopup<Props>(() => import('./edit-dialog.tsx').then((m) => m.EditDialog));
const RenameDialog = lazyPopup<Props>(() =>
  import('./rename-dialog.tsx').then((m) => m.RenameDialog),
);

const DIALOGS: Readonly<Record<DialogAction, ComponentType<Props>>> = {
  edit: EditDialog,
  rename: RenameDialog,
  history: HistoryDialog,
  qr: QrDialog,
  delete: DeleteDialog,
  toggle: ToggleDialog,
};

export function LinkDialog({ action, ...props }: Props & { action: DialogAction }) {
  const Opened = DIALOGS[action];
  return <Opened {...props} />;
}

function DeleteDialog({ link, onClose }: Props) {
  const undo = useUndo();
  const remove = useLinkAction(([line]) => {
    if (line?.ok === true)
      toast('Link deleted.', {
        action: { label: 'Undo', onSelect: () => undo([link.short_code], 'restore') },
      });
    else toast(line?.error ?? 'The link was not deleted.', { tone: 'bad' });
    onClose();
  });
  return (
    <ConfirmDialog
      open
      title="Delete this link?"
      action="Delete link"
      pending={remove.isPending}
      error={remove.error?.message ?? ''}
      onConfirm={() => remove.mutate({ codes: [link.short_code], action: 'delete' })}
      onClose={onClose}
    >
      <p>
        Visitors of <span className="font-mono text-ink">{link.short_code}</span> will see that the
        link is gone. You can restore it
        {link.click_count > 0 && ` with its ${plural(link.click_count, 'click')}`} from the trash
        for {KEEP_TRASH_DAYS} days. Nobody else can use the code; you can use it for a new link,
        unless we disabled this one or are reviewing a report about it. Deleting a link does not
        restore this month’s quota.
      </p>
    </ConfirmDialog>
  );
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
        <span className="font-mono text-ink">{link.short_code}</span>{' '}
        {enable
          ? 'will redirect to its target again.'
          : `will stop redirecting. ${DISABLE_PROMISE} You keep its click counts and can enable it again.`}
      </p>
    </ConfirmDialog>
  );
}

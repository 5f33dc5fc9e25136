import {
  Archive,
  ArchiveRestore,
  CalendarClock,
  ChevronDown,
  Link2,
  Link2Off,
  Star,
  StarOff,
  Tag,
  Tags,
  Trash2,
  X,
} from 'lucide-react';
import { useState } from 'react';
import type {
  LinkActionLine,
  LinkActionName,
  LinkActionRequest,
  ListedLink,
} from '#contract/links.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { plural } from '#contract/language.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Menu } from '#web/ui/menu.tsx';
import type { MenuItem } from '#web/ui/menu-popup.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useLinkAction } from './queries.ts';
import { TagField } from '#web/shared/tag-field.tsx';
import { useUndo } from './use-undo.ts';
import { ErrorText } from '#web/ui/error-text.tsx';

/** The end of the toast after each action (“2 links archived”) and the action that undoes it. */
const TOASTS: Readonly<Record<LinkActionName, { result: string; undo?: LinkActionName }>> = {
  archive: { result: 'archived', undo: 'unarchive' },
  unarchive: { result: 'taken out of the archive', undo: 'archive' },
  favorite: { result: 'added to favorites', undo: 'unfavorite' },
  unfavorite: { result: 'removed from favorites', undo: 'favorite' },
  disable: { result: 'disabled' },
  enable: { result: 'enabled' },
  set_end: { result: 'changed' },
  add_tags: { result: 'tagged' },
  remove_tags: { result: 'changed' },
  delete: { result: 'deleted', undo: 'restore' },
  restore: { result: 'restored' },
};

/** Runs actions on links, reports the result in a toast, and offers to undo it where possible. */
export function useActions(onDone: () => void) {
  const undo = useUndo();
  const [failed, setFailed] = useState<Extract<LinkActionLine, { ok: false }>[]>([]);
  const action = useLinkAction((lines, { action: name }) => {
    const done = lines.flatMap(({ ok, code }) => (ok ? [code] : []));
    const { result, undo: undoAction } = TOASTS[name];
    if (done.length > 0)
      toast(
        `${plural(done.length, 'link')} ${result}.`,
        undoAction === undefined
          ? {}
          : { action: { label: 'Undo', onSelect: () => undo(done, undoAction) } },
      );
    setFailed(lines.filter((line) => !line.ok));
    onDone();
  });
  return { ...action, failed, closeFailed: () => setFailed([]) };
}

export type Actions = ReturnType<typeof useActions>;

export function FailedDialog({ actions: { failed, closeFailed } }: { actions: Actions }) {
  return (
    <Dialog
      open={failed.length > 0}
      onClose={closeFailed}
      title={`${plural(failed.length, 'link')} not changed`}
      closeLabel="Close"
    >
      <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line text-13">
        {failed.map(({ code, error }) => (
          <li key={code} className="px-3 py-2">
            <span className="font-mono text-ink [overflow-wrap:anywhere]">{code}</span>
            <span className="block text-ink-2">{error}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type DialogActionName = 'add_tags' | 'remove_tags' | 'set_end' | 'disable' | 'delete';

/** Actions for the selected links, in place of the toolbar. */
export function SelectionBar({
  selected,
  shown,
  actions,
  onSelect,
}: {
  selected: readonly ListedLink[];
  shown: number;
  actions: Actions;
  onSelect: (which: 'all' | 'none') => void;
}) {
  const [openDialog, setOpenDialog] = useState<DialogActionName | null>(null);
  const codes = selected.map(({ short_code }) => short_code);
  const run = (request: Omit<LinkActionRequest, 'codes'>): void =>
    actions.mutate({ codes, ...request });
  const showDialog = (name: DialogActionName | null): void => {
    actions.reset();
    setOpenDialog(name);
  };
  return (
    <div
      role="toolbar"
      aria-label="Selected links"
      className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11"
    >
      <output className="flex-1 text-14 font-medium whitespace-nowrap tabular-nums">
        {selected.length} selected
      </output>
      {selected.length < shown && (
        <Button variant="ghost" className="px-2!" onClick={() => onSelect('all')}>
          <span>
            Select all<span className="max-sm:sr-only"> {shown}</span>
          </span>
        </Button>
      )}
      <Menu
        label="Actions for the selected links"
        items={menuItems((action) => run({ action }), showDialog)}
        className={buttonClass({ variant: 'primary' })}
      >
        Actions
        <ChevronDown className="size-4" />
      </Menu>
      <Button
        variant="ghost"
        className="w-9 px-0! pointer-coarse:w-11"
        aria-label="Clear selection"
        onClick={() => onSelect('none')}
      >
        <X className="size-4" />
      </Button>
      {openDialog === null ? (
        <ErrorText>{actions.error?.message}</ErrorText>
      ) : (
        // It closes with this bar, because an action that succeeds ends the selection.
        <ActionDialog
          action={openDialog}
          count={codes.length}
          pending={actions.isPending}
          error={actions.error}
          onRun={run}
          onClose={() => showDialog(null)}
        />
      )}
    </div>
  );
}

function menuItems(
  onRun: (action: LinkActionName) => void,
  onDialog: (action: DialogActionName) => void,
): MenuItem[] {
  const actionItem = (label: string, icon: MenuItem['icon'], name: LinkActionName): MenuItem => ({
    label,
    icon,
    onSelect: () => onRun(name),
  });
  const dialogItem = (label: string, icon: MenuItem['icon'], name: DialogActionName): MenuItem => ({
    label,
    icon,
    onSelect: () => onDialog(name),
  });
  return [
    dialogItem('Add tags', <Tag />, 'add_tags'),
    dialogItem('Remove tags', <Tags />, 'remove_tags'),
    actionItem('Add to favorites', <Star />, 'favorite'),
    actionItem('Remove from favorites', <StarOff />, 'unfavorite'),
    actionItem('Archive links', <Archive />, 'archive'),
    actionItem('Unarchive links', <ArchiveRestore />, 'unarchive'),
    dialogItem('Set end date', <CalendarClock />, 'set_end'),
    dialogItem('Disable links', <Link2Off />, 'disable'),
    actionItem('Enable links', <Link2 />, 'enable'),
    { ...dialogItem('Delete links', <Trash2 />, 'delete'), danger: true },
  ];
}

const TITLES: Readonly<Record<DialogActionName, (count: string) => string>> = {
  add_tags: (count) => `Add tags to ${count}`,
  remove_tags: (count) => `Remove tags from ${count}`,
  set_end: (count) => `Set the end date of ${count}`,
  disable: (count) => `Disable ${count}?`,
  delete: (count) => `Delete ${count}?`,
};

/** Asks for the input of an action, or for confirmation. */
function ActionDialog({
  action,
  count,
  pending,
  error,
  onRun,
  onClose,
}: {
  action: DialogActionName;
  count: number;
  pending: boolean;
  error: Error | null;
  onRun: (request: Omit<LinkActionRequest, 'codes'>) => void;
  onClose: () => void;
}) {
  const [tags, setTags] = useState<string[]>([]);
  const [end, setEnd] = useState('');
  const [now] = useState(() => Date.now());
  const links = plural(count, 'link');
  const isForTags = action === 'add_tags' || action === 'remove_tags';
  const isPast = end !== '' && new Date(end).getTime() <= now;
  const isIncomplete = isPast || (isForTags && tags.length === 0);
  const request = isForTags
    ? { action, tags }
    : action === 'set_end'
      ? { action, expiresAt: end === '' ? null : new Date(end).getTime() }
      : { action };
  return (
    <FormDialog
      title={TITLES[action](links)}
      action={`${action === 'delete' ? 'Delete' : action === 'disable' ? 'Disable' : 'Change'} ${links}`}
      tone={action === 'delete' || action === 'disable' ? 'danger' : 'primary'}
      pending={pending}
      disabled={isIncomplete}
      error={error}
      message={error?.message ?? ''}
      onSubmit={() => !isIncomplete && onRun(request)}
      onClose={onClose}
    >
      {isForTags && <TagField label="Tags" names={tags} error={undefined} onChange={setTags} />}
      {action === 'set_end' && (
        <TextField
          label="End date"
          hint="Leave it empty to remove the end date."
          error={isPast ? 'The end date is in the past. Choose a later one.' : undefined}
          type="datetime-local"
          value={end}
          onText={setEnd}
        />
      )}
      <Consequence action={action} />
    </FormDialog>
  );
}

function Consequence({ action }: { action: DialogActionName }) {
  if (action === 'disable')
    return (
      <p className="text-14 text-ink-2">
        They will stop redirecting. {DISABLE_PROMISE} You can enable them again.
      </p>
    );
  if (action === 'delete')
    return (
      <p className="text-14 text-ink-2">
        Visitors will see that these links are gone. You can restore them from the trash for{' '}
        {KEEP_TRASH_DAYS} days. Deleting links does not restore this month’s quota.
      </p>
    );
  return null;
}

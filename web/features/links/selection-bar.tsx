import { useMutation } from '@tanstack/react-query';
import {
  Archive,
  ArchiveRestore,
  CalendarClock,
  Download,
  Ellipsis,
  HeartPulse,
  Link2,
  Link2Off,
  SlidersHorizontal,
  Star,
  StarOff,
  Tag,
  Tags,
  Trash2,
  X,
} from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { LinkActionName } from '#contract/links/link-actions.ts';
import { formatNumber, plural } from '#contract/language.ts';
import type { ListedLink } from '#contract/links/links.ts';
import { announce, toastExportFailure } from '#web/ui/announcer.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import { Menu } from '#web/ui/menu.tsx';
import type { MenuItem } from '#web/ui/menu-popup.tsx';
import type { ActionRequest } from './send-actions.ts';
import { ActionDialog, type DialogActionName } from './action-dialog.tsx';
import { exportLinks } from './export-links.ts';
import type { useLinks } from './queries.ts';
import type { Actions } from './use-actions.ts';
import { WorkProgress } from './work-progress.tsx';

const SettingsDialog = lazyPopup(() =>
  import('./settings-dialog.tsx').then((m) => m.SettingsDialog),
);

type OpenDialog = DialogActionName | 'change_settings';

/** How to select every link of the list; `count` is null until it is known. */
export type SelectAll = { count: number | null; onSelect: () => void };

/**
 * Actions for the selected links, at the bottom of the window. It stays in sight while the list
 * scrolls, and shows how far an action on many links has come.
 */
export function SelectionBar({
  ids,
  links,
  query,
  selectAll,
  isArchive,
  actions,
  onClose,
}: {
  ids: readonly number[];
  /** The loaded links of the list, selected or not. */
  links: readonly ListedLink[];
  query: ReturnType<typeof useLinks>;
  /** Null if every link is selected. */
  selectAll: SelectAll | null;
  /** Whether the list shows archived links. */
  isArchive: boolean;
  actions: Actions;
  /** Ends the selection. */
  onClose: () => void;
}) {
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const { working } = actions;
  const isLong = working !== null && (working.isUndo || working.isLong);
  const closeDialog = (): void => {
    actions.leaveDialog();
    setOpenDialog(null);
  };
  useEffect(() => {
    if (ids.length > 0) announce(`${plural(ids.length, 'link')} selected.`);
  }, [ids.length]);
  return (
    <section
      aria-label="Selected links"
      data-floating-bar=""
      className="pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center px-3 pb-3 print:hidden"
    >
      <div className="pointer-events-auto flex max-w-full animate-appear flex-wrap items-center justify-center gap-x-3 gap-y-1 rounded-lg border border-line bg-raised p-2 ps-3.5 shadow-float max-sm:w-full">
        {isLong && openDialog === null ? (
          <WorkProgress
            label={working.isUndo ? 'Undoing' : 'Changing links'}
            {...working}
            onStop={actions.stop}
          />
        ) : (
          <>
            <Count count={ids.length} selectAll={selectAll} onClear={onClose} />
            <BarActions
              ids={ids}
              isArchive={isArchive}
              actions={actions}
              onDialog={(name) => {
                actions.reset();
                setOpenDialog(name);
              }}
              onClear={onClose}
            />
          </>
        )}
      </div>
      {/* Dialogs close with this bar, because an action that succeeds ends the selection. */}
      {openDialog === 'change_settings' && ids.length > 0 && (
        <SettingsDialog
          ids={ids}
          links={links}
          query={query}
          actions={actions}
          onClose={closeDialog}
        />
      )}
      {openDialog !== null && openDialog !== 'change_settings' && ids.length > 0 && (
        <ActionDialog
          action={openDialog}
          count={ids.length}
          actions={actions}
          onRun={(request) => actions.run({ ...request, ids }, 'dialog')}
          onClose={closeDialog}
        />
      )}
    </section>
  );
}

function Count({
  count,
  selectAll,
  onClear,
}: {
  count: number;
  selectAll: SelectAll | null;
  onClear: () => void;
}) {
  return (
    <div className="flex items-center gap-1 max-sm:w-full">
      <p className="text-14 font-medium whitespace-nowrap tabular-nums">
        {formatNumber(count)} selected
      </p>
      {selectAll !== null && (
        <Button
          variant="ghost"
          size="sm"
          pending={selectAll.count === null}
          onClick={selectAll.onSelect}
        >
          {selectAll.count === null
            ? 'Select all that match'
            : `Select all ${formatNumber(selectAll.count)} that match`}
        </Button>
      )}
      <ClearButton className="ms-auto sm:hidden" onClear={onClear} />
    </div>
  );
}

const ClearButton = ({ className, onClear }: { className: string; onClear: () => void }) => (
  <Button
    variant="ghost"
    size="sm"
    className={`w-8 px-0! pointer-coarse:w-11 ${className}`}
    aria-label="Clear selection"
    onClick={onClear}
  >
    <X className="size-4" />
  </Button>
);

function BarActions({
  ids,
  isArchive,
  actions,
  onDialog,
  onClear,
}: {
  ids: readonly number[];
  isArchive: boolean;
  actions: Actions;
  onDialog: (name: OpenDialog) => void;
  onClear: () => void;
}) {
  const file = useMutation({ mutationFn: exportLinks, onError: toastExportFailure });
  const run = (action: LinkActionName): void => {
    const request: ActionRequest = { action, ids };
    actions.run(request);
  };
  return (
    <div className="flex items-center gap-1 max-sm:w-full max-sm:justify-between">
      <BarButton label="Tag" icon={<Tag />} onClick={() => onDialog('add_tags')} />
      {isArchive ? (
        <BarButton label="Unarchive" icon={<ArchiveRestore />} onClick={() => run('unarchive')} />
      ) : (
        <BarButton label="Archive" icon={<Archive />} onClick={() => run('archive')} />
      )}
      <BarButton
        label="Delete"
        icon={<Trash2 />}
        // Deleting one link can be undone in the toast. Deleting many asks first.
        onClick={() => (ids.length === 1 ? run('delete') : onDialog('delete'))}
      />
      <BarButton
        label="Export"
        icon={<Download />}
        pending={file.isPending}
        onClick={() => file.mutate(ids)}
      />
      <Menu
        label="More actions for the selected links"
        tooltip="More actions"
        items={moreItems(run, onDialog)}
        className={`${buttonClass({ variant: 'ghost', size: 'sm' })} w-8 px-0! pointer-coarse:w-11`}
      >
        <Ellipsis className="size-4" />
      </Menu>
      <ClearButton className="max-sm:hidden" onClear={onClear} />
    </div>
  );
}

/** On phones it shows its icon only. */
const BarButton = ({
  label,
  icon,
  pending = false,
  onClick,
}: {
  label: string;
  icon: ReactNode;
  pending?: boolean;
  onClick: () => void;
}) => (
  <Button
    variant="ghost"
    size="sm"
    className="max-sm:w-11 max-sm:px-0! [&_svg]:size-4"
    pending={pending}
    onClick={onClick}
  >
    {icon}
    <span className="max-sm:sr-only">{label}</span>
  </Button>
);

function moreItems(
  onRun: (action: LinkActionName) => void,
  onDialog: (action: OpenDialog) => void,
): MenuItem[] {
  const item = (label: string, icon: ReactNode, onSelect: () => void): MenuItem => ({
    label,
    icon,
    onSelect,
  });
  return [
    item('Remove tags', <Tags />, () => onDialog('remove_tags')),
    item('Add to favorites', <Star />, () => onRun('favorite')),
    item('Remove from favorites', <StarOff />, () => onRun('unfavorite')),
    item('Set end date', <CalendarClock />, () => onDialog('set_end')),
    item('Set destination checks', <HeartPulse />, () => onDialog('set_watch')),
    item('Change settings…', <SlidersHorizontal />, () => onDialog('change_settings')),
    item('Disable links', <Link2Off />, () => onDialog('disable')),
    item('Enable links', <Link2 />, () => onRun('enable')),
  ];
}

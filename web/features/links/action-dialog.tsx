import { useState } from 'react';
import { plural } from '#contract/language.ts';
import { KEEP_TRASH_DAYS } from '#contract/limits.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import type { WatchMode } from '#contract/links/watch.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { WatchSetting } from '#web/shared/link-settings/lazy-fields.tsx';
import type { ActionRequest } from './send-actions.ts';
import { TagField } from '#web/shared/link-settings/tag-field.tsx';
import type { Actions } from './use-actions.ts';
import { WorkProgress } from './work-progress.tsx';

export type DialogActionName =
  | 'add_tags'
  | 'remove_tags'
  | 'set_end'
  | 'set_watch'
  | 'disable'
  | 'delete';

const TITLES: Readonly<Record<DialogActionName, (links: string) => string>> = {
  add_tags: (links) => `Add tags to ${links}`,
  remove_tags: (links) => `Remove tags from ${links}`,
  set_end: (links) => `Set the end date of ${links}`,
  set_watch: (links) => `Set the destination checks of ${links}`,
  disable: (links) => `Disable ${links}?`,
  delete: (links) => `Delete ${links}?`,
};

/** What runs, for the progress of an action on many links. */
const VERBS: Readonly<Record<DialogActionName, string>> = {
  add_tags: 'Adding tags',
  remove_tags: 'Removing tags',
  set_end: 'Changing links',
  set_watch: 'Changing links',
  disable: 'Disabling links',
  delete: 'Deleting links',
};

/** Asks for the input of an action on the selected links, or for confirmation. */
export function ActionDialog({
  action,
  count,
  actions,
  onRun,
  onClose,
}: {
  action: DialogActionName;
  count: number;
  actions: Actions;
  onRun: (request: Omit<ActionRequest, 'ids'>) => void;
  onClose: () => void;
}) {
  const [tags, setTags] = useState<string[]>([]);
  const [end, setEnd] = useState('');
  const [watch, setWatch] = useState<WatchMode>('on');
  const [isTried, setTried] = useState(false);
  const [now] = useState(() => Date.now());
  const links = plural(count, 'link');
  const isForTags = action === 'add_tags' || action === 'remove_tags';
  const isPast = end !== '' && new Date(end).getTime() <= now;
  const isWithoutTags = isForTags && tags.length === 0;
  const submit = (): void => {
    setTried(true);
    if (isPast || isWithoutTags) return;
    if (isForTags) onRun({ action, tags });
    else if (action === 'set_end')
      onRun({ action, expiresAt: end === '' ? null : new Date(end).getTime() });
    else if (action === 'set_watch') onRun({ action, watch });
    else onRun({ action });
  };
  const { working, error } = actions;
  const isDanger = action === 'delete' || action === 'disable';
  return (
    <FormDialog
      title={TITLES[action](links)}
      action={`${action === 'delete' ? 'Delete' : action === 'disable' ? 'Disable' : 'Change'} ${links}`}
      tone={isDanger ? 'danger' : 'primary'}
      pending={actions.isPending}
      errors={serverErrors(error, [])}
      onSubmit={submit}
      onClose={onClose}
    >
      {isForTags && (
        <TagField
          label="Tags"
          names={tags}
          error={isTried && isWithoutTags ? 'Enter at least one tag.' : undefined}
          onChange={setTags}
        />
      )}
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
      {action === 'set_watch' && <WatchSetting mode={watch} error={undefined} onMode={setWatch} />}
      <Consequence action={action} />
      {working !== null && working.total > 1 && (
        <WorkProgress
          label={VERBS[action]}
          {...working}
          onStop={() => {
            actions.stop();
            onClose();
          }}
        />
      )}
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
        Visitors will see that these links are gone. You can restore them from the trash for up to{' '}
        {KEEP_TRASH_DAYS} days. Deleting links does not restore this month’s quota.
      </p>
    );
  return null;
}

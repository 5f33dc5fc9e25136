import { useState, type ReactNode } from 'react';
import type { ModerationAction } from '#contract/moderation/abuse.ts';
import { DISABLE_PROMISE } from '#contract/site.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';
import { Form } from '#web/ui/form.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import {
  isSuspension,
  describeScope,
  type Moderation,
  type ModerationScope,
} from './moderation-scopes.ts';
import { useModerate } from './queries.ts';

/**
 * Asks for a reason, then disables or restores links, or suspends a user or lifts the suspension.
 */
export function ModerationDialog({
  moderation: { action, scopes, reportId, name },
  onClose,
}: {
  moderation: Moderation;
  onClose: () => void;
}) {
  const [selected, setSelected] = useState(0);
  const [reason, setReason] = useState('');
  const moderate = useModerate();
  const required = useRequired({ reason: reason.trim() === '' && 'Enter a reason.' });
  const scope = scopes[selected];
  if (scope === undefined) return null;
  const submit = (): void => {
    if (!required.check()) return;
    const body: ModerationAction = {
      action,
      scope,
      reason: reason.trim(),
      ...(reportId !== undefined && { reportId }),
    };
    moderate.mutate({ path: '/api/admin/moderation', body }, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title={actionLabel(action, scope)}>
      <Form className="flex flex-col gap-4" error={moderate.error} onSubmit={submit}>
        {scopes.length > 1 && (
          <SelectField
            label={action === 'disable' ? 'What to disable' : 'What to restore'}
            choices={scopes.map((item, index) => [index, describeScope(item)])}
            value={selected}
            onSelect={(index) => setSelected(Number(index))}
          />
        )}
        {scope.kind === 'domain' && (
          <p className="text-14 text-ink-2 [overflow-wrap:anywhere]">
            Everything on {scope.host} {DOMAIN_EFFECT[action]}
          </p>
        )}
        {isSuspension(scope) && (
          <p className="text-14 text-ink-2 [overflow-wrap:anywhere]">{EFFECT[action](name)}</p>
        )}
        <TextField
          label="Reason"
          hint={reasonHint(action, scope)}
          error={required.at('reason')}
          value={reason}
          maxLength={200}
          required
          onText={setReason}
        />
        {action === 'disable' && <p className="text-13 text-ink-3">{DISABLE_PROMISE}</p>}
        <DialogActions error={moderate.error?.message}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant={action === 'disable' ? 'danger' : 'primary'}
            pending={moderate.isPending}
          >
            {actionLabel(action, scope)}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Returns the dialog, to be rendered, and the function that opens it. */
export function useModerationDialog(): [ReactNode, (moderation: Moderation) => void] {
  const [moderation, setModeration] = useState<Moderation | null>(null);
  const close = (): void => setModeration(null);
  const dialog = moderation !== null && (
    <ModerationDialog moderation={moderation} onClose={close} />
  );
  return [dialog, setModeration];
}

function actionLabel(action: ModerationAction['action'], scope: ModerationScope): string {
  if (isSuspension(scope)) return action === 'disable' ? 'Suspend user' : 'Lift suspension';
  if (scope.kind === 'domain') return action === 'disable' ? 'Suspend domain' : 'Restore domain';
  return action === 'disable' ? 'Disable links' : 'Restore links';
}

const DOMAIN_EFFECT = {
  disable:
    'answers with a page that says so, and nobody can create links there. Links keep their settings.',
  enable: 'works again, unless something else disables it.',
} as const;

const EFFECT = {
  disable: (name = 'this user') =>
    `All links of ${name} stop redirecting. The user is signed out everywhere and can’t create links. A new account with the same email address is suspended too.`,
  enable: (name = 'This user') =>
    `${name} can sign in again. Their links redirect again unless something else disables them.`,
} as const;

function reasonHint(action: ModerationAction['action'], scope: ModerationScope): string {
  if (action === 'enable') return 'Recorded in the audit log.';
  return isSuspension(scope)
    ? 'Shown to the user and to visitors of their links, and recorded in the audit log.'
    : scope.kind === 'domain'
      ? 'Shown to the owner of the domain and recorded in the audit log.'
      : 'Shown to visitors of the disabled links and recorded in the audit log.';
}

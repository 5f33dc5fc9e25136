import { useState } from 'react';
import type { ModerationAction } from '#contract/abuse.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Select } from '#web/ui/input.tsx';
import { isSuspension, describeScope, type Moderation, type Scope } from './moderation-scopes.ts';
import { useModerate } from './queries.ts';

/** Disables (or restores) a link or all links to its host, or suspends its owner (or lifts that), with a reason. */
export function ModerationDialog({ moderation, onClose }: { moderation: Moderation | null; onClose: () => void }) {
  const [chosen, setChosen] = useState(0);
  const scope = moderation?.scopes[chosen];
  const close = (): void => {
    setChosen(0);
    onClose();
  };
  return (
    <Dialog open={moderation !== null} onClose={close} title={titleOf(moderation?.action ?? 'disable', scope)}>
      {moderation !== null && scope !== undefined && (
        <ModerationForm moderation={moderation} scope={scope} chosen={chosen} onSelect={setChosen} onClose={close} />
      )}
    </Dialog>
  );
}

function titleOf(action: ModerationAction['action'], scope: Scope | undefined): string {
  if (scope !== undefined && isSuspension(scope)) return action === 'disable' ? 'Suspend user' : 'Lift suspension';
  return action === 'disable' ? 'Disable links' : 'Restore links';
}

function ModerationForm({
  moderation: { action, scopes, reportId, name },
  scope,
  chosen,
  onSelect,
  onClose,
}: {
  moderation: Moderation;
  scope: Scope;
  chosen: number;
  onSelect: (index: number) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const { mutate, isPending } = useModerate();
  const submit = (): void => {
    const body: ModerationAction = { action, scope, reason: reason.trim(), ...(reportId !== undefined && { reportId }) };
    mutate({ path: '/api/admin/moderation', body }, { onSuccess: onClose });
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {scopes.length > 1 && (
        <Field label={action === 'disable' ? 'What to disable' : 'What to restore'}>
          {(control) => (
            <Select {...control} value={chosen} onChange={(event) => onSelect(Number(event.target.value))}>
              {scopes.map((item, index) => (
                <option key={item.kind === 'host' ? item.host : item.kind} value={index}>
                  {describeScope(item)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {isSuspension(scope) && <p className="text-14 text-ink-2 [overflow-wrap:anywhere]">{EFFECT[action](name)}</p>}
      <Field label="Reason" hint={hintOf(action, scope)}>
        {(control) => (
          <Input {...control} value={reason} maxLength={200} required onChange={(event) => setReason(event.target.value)} />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant={action === 'disable' ? 'danger' : 'primary'}
          pending={isPending}
          disabled={reason.trim() === ''}
        >
          {titleOf(action, scope)}
        </Button>
      </div>
    </form>
  );
}

const EFFECT = {
  disable: (name = 'this user') =>
    `All links of ${name} stop. The user is signed out everywhere and cannot make new links. A new account with the same email address is suspended too.`,
  enable: (name = 'This user') => `${name} can sign in again. Their links work again unless something else disables them.`,
} as const;

function hintOf(action: ModerationAction['action'], scope: Scope): string {
  if (action === 'enable') return 'The log keeps it.';
  return isSuspension(scope)
    ? 'Visitors of the links and the user read it, and the log keeps it.'
    : 'Visitors of a disabled link read it, and the log keeps it.';
}

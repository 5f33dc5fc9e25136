import { useState } from 'react';
import type { ModerationAction } from '#contract/abuse.ts';
import { heldScopes, scopesOf, scopeText, type Subject } from './moderation-scopes.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Select } from '#web/ui/input.tsx';
import { useModeration } from './queries.ts';

/** Disables (or restores) a link, all links to its host, or all links of its owner, with the reason that people will read. */
export function ModerationDialog({
  subject,
  action,
  onClose,
}: {
  subject: Subject | null;
  action: ModerationAction['action'];
  onClose: () => void;
}) {
  const title = action === 'disable' ? 'Disable links' : 'Restore links';
  return (
    <Dialog open={subject !== null} onClose={onClose} title={title}>
      {subject !== null && <ModerationForm subject={subject} action={action} title={title} onClose={onClose} />}
    </Dialog>
  );
}

function ModerationForm({
  subject,
  action,
  title,
  onClose,
}: {
  subject: Subject;
  action: ModerationAction['action'];
  title: string;
  onClose: () => void;
}) {
  const scopes = action === 'disable' ? scopesOf(subject) : heldScopes(subject);
  const [chosen, setChosen] = useState(0);
  const [reason, setReason] = useState('');
  const { mutate, isPending } = useModeration();
  const submit = (): void => {
    const scope = scopes[chosen];
    if (scope === undefined) return;
    const body: ModerationAction = {
      action,
      scope,
      reason: reason.trim(),
      ...(subject.reportId !== undefined && { reportId: subject.reportId }),
    };
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
      <Field label="Which links">
        {(control) => (
          <Select {...control} value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {scopes.map((scope, index) => (
              <option key={scope.kind === 'host' ? scope.host : scope.kind} value={index}>
                {scopeText(scope)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Reason"
        hint={action === 'disable' ? 'Visitors of a disabled link read it, and the log keeps it.' : 'The log keeps it.'}
      >
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
          {title}
        </Button>
      </div>
    </form>
  );
}

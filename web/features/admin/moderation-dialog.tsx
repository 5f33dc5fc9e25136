import { useState } from 'react';
import type { ModerationAction } from '#contract/abuse.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Select } from '#web/ui/input.tsx';
import { useModeration } from './queries.ts';

export type Subject = { code: string; host: string; ownerId: string | null; reportId?: number };
type Kind = ModerationAction['scope']['kind'];

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
  const [kind, setKind] = useState<Kind>('link');
  const [reason, setReason] = useState('');
  const { mutate, isPending } = useModeration();
  const submit = (): void => {
    const scope = scopeOf(kind, subject);
    if (scope === null) return;
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
          <Select {...control} value={kind} onChange={(event) => setKind(kindOf(event.target.value))}>
            <option value="link">Only /{subject.code}</option>
            <option value="host">All links to {subject.host} and its subdomains</option>
            {subject.ownerId !== null && <option value="user">All links of user {subject.ownerId.slice(0, 8)}</option>}
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

const kindOf = (value: string): Kind => (value === 'host' || value === 'user' ? value : 'link');

function scopeOf(kind: Kind, subject: Subject): ModerationAction['scope'] | null {
  if (kind === 'link') return { kind, code: subject.code };
  if (kind === 'host') return { kind, host: subject.host };
  return subject.ownerId === null ? null : { kind, user_id: subject.ownerId };
}

/** The host that a long URL leads to; '' where it is none. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

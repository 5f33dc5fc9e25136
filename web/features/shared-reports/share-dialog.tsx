import { useState } from 'react';
import type { CreatedSharedReport, SharedReport } from '#contract/reports/shared-reports.ts';
import { SecretDialog } from '#web/shared/secrets/secret-dialogs.tsx';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { announce, toast } from '#web/ui/announcer.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { useChangeReport, useShareReport, type Shared } from './queries.ts';
import { draftOf, newDraft, toSettings, type Draft, type ShareSubject } from './report-draft.ts';
import { ReportFields } from './report-fields.tsx';
import { OwnReports } from './own-reports.tsx';

const FIELDS = ['title', 'from', 'to', 'expiresAt', 'password'];

/**
 * Shares a report of a link or a tag, and lists what the member shares already. `title` is the
 * suggested title.
 */
export function ShareDialog({
  subject,
  title,
  onClose,
}: {
  subject: ShareSubject;
  title: string;
  onClose: () => void;
}) {
  const [created, setCreated] = useState<CreatedSharedReport | null>(null);
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const [changed, setChanged] = useState<SharedReport | null>(null);
  const show = ({ report, copied }: Shared): void => {
    setCreated(report);
    void copied.then((isDone) => {
      setCopied(isDone);
      if (isDone) announce('Copied!');
    });
  };
  if (created !== null)
    return <AddressDialog report={created} isCopied={isCopied} onClose={onClose} />;
  if (changed !== null) return <ChangeDialog report={changed} onClose={() => setChanged(null)} />;
  return (
    <NewReportDialog
      subject={subject}
      title={title}
      onCreated={show}
      onChange={setChanged}
      onClose={onClose}
    />
  );
}

function NewReportDialog({
  subject,
  title,
  onCreated,
  onChange,
  onClose,
}: {
  subject: ShareSubject;
  title: string;
  onCreated: (shared: Shared) => void;
  onChange: (report: SharedReport) => void;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(() => newDraft(subject.kind, title));
  const share = useShareReport(onCreated);
  const { errors, check } = useErrors(share.error, draft);
  const submit = (): void => {
    if (!check()) return;
    const target = subject.kind === 'link' ? { code: subject.code } : { tagId: subject.id };
    const { expiresAt = null, password = null, ...settings } = toSettings(draft, Date.now());
    share.mutate({ ...settings, expiresAt, password, ...target });
  };
  return (
    <FormDialog
      title="Share report"
      action="Create and copy address"
      pending={share.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-14 text-ink-2">
        Anyone with the address can see the report, without an account. Places, devices, sources and
        campaigns with fewer than 5 clicks are shown as Other.
      </p>
      <ReportFields
        kind={subject.kind}
        draft={draft}
        report={null}
        errorAt={errors.at}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <OwnReports subject={subject} onChange={onChange} />
    </FormDialog>
  );
}

function ChangeDialog({ report, onClose }: { report: SharedReport; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(report));
  const change = useChangeReport(report.id, () => {
    toast('Shared report changed.');
    onClose();
  });
  const { errors, check } = useErrors(change.error, draft);
  return (
    <FormDialog
      title="Change shared report"
      action="Save report"
      pending={change.isPending}
      errors={errors}
      onSubmit={() => check() && change.mutate(toSettings(draft, Date.now()))}
      onClose={onClose}
    >
      <ReportFields
        kind={report.subject.kind}
        draft={draft}
        report={report}
        errorAt={errors.at}
        onChange={(next) => setDraft({ ...draft, ...next })}
      />
    </FormDialog>
  );
}

/** The errors of the form: those found on submit, then those of the server. */
function useErrors(error: Error | null, draft: Draft) {
  const [found, setFound] = useState<Record<string, string>>({});
  const server = serverErrors(error, FIELDS);
  const check = (): boolean => {
    const now: Record<string, string> = {
      ...(draft.title.trim() === '' && { title: 'Enter a title for the report.' }),
      ...(draft.period === 'dates' && draft.from === '' && { from: 'Enter the first day.' }),
      ...(draft.period === 'dates' && draft.to === '' && { to: 'Enter the last day.' }),
    };
    setFound(now);
    return Object.keys(now).length === 0;
  };
  const at = (field: string): string | undefined => found[field] ?? server.at(field);
  return { errors: { ...server, at }, check };
}

const describeCopy = (isCopied: boolean | null): string => {
  if (isCopied === null) return '';
  return isCopied
    ? 'The address is on your clipboard. '
    : 'Your browser blocked copying, so copy the address here. ';
};

/** `isCopied` is null until the browser has answered. */
const AddressDialog = ({
  report,
  isCopied,
  onClose,
}: {
  report: CreatedSharedReport;
  isCopied: boolean | null;
  onClose: () => void;
}) => (
  <SecretDialog
    title="Report shared"
    hint={`${describeCopy(isCopied)}We store only a hash of it and cannot show it again. To end it, choose Share report once more and stop sharing.`}
    secret={report.address}
    label="Copy address"
    onClose={onClose}
  >
    {report.hasPassword && (
      <p className="mt-4 text-14 text-ink-2">Viewers need the password that you have set.</p>
    )}
  </SecretDialog>
);

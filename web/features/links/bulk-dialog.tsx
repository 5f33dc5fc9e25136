import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { BulkLine, BulkResponse } from '#contract/links/links.ts';
import { BULK_MAX } from '#contract/limits.ts';
import { errorCode } from '#web/shared/api/api.ts';
import { plural } from '#contract/language.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { chosenDomain, domainChoices } from '#web/shared/link-settings/domain-choices.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { useChange } from '#web/shared/api/use-change.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogActions } from '#web/ui/dialog-actions.tsx';
import { Field } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { Textarea, VERBATIM } from '#web/ui/input.tsx';
import { Link } from '#web/ui/link.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { joinFailedLinks, joinShortLinks, parseLines } from './bulk-lines.ts';
import { useShortenMany } from './queries.ts';

/** Shortens a pasted list of links (Premium), then shows the result or the error of each line. */
export function BulkDialog({
  quotaChanges,
  onClose,
  onCreated,
}: {
  /**
   * Counts the changes of the quota since the page opened. A change clears an error about the
   * quota.
   */
  quotaChanges: number;
  onClose: () => void;
  onCreated: (usage: BulkResponse['usage']) => void;
}) {
  const [text, setText] = useState('');
  const [domain, setDomain] = useState<string>();
  const shorten = useShortenMany((response) => {
    announce(`${plural(response.made, 'link')} created.`);
    if (response.made > 0) onCreated(response.usage);
  });
  useChange(quotaChanges, () => {
    if (errorCode(shorten.error) === 'quota_reached') shorten.reset();
  });
  const editFailed = (lines: readonly BulkLine[]): void => {
    setText(joinFailedLinks(lines));
    shorten.reset();
  };
  return (
    <Dialog open onClose={onClose} title="Shorten many links" width="reading">
      {shorten.data === undefined ? (
        <ListForm
          text={text}
          domain={domain}
          onTextChange={setText}
          onDomain={setDomain}
          pending={shorten.isPending}
          error={shorten.error}
          onSubmit={(longUrls) =>
            shorten.mutate({ longUrls, ...(domain !== undefined && { domain }) })
          }
          onCancel={onClose}
        />
      ) : (
        <Result response={shorten.data} onEditFailed={editFailed} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ListForm({
  text,
  domain,
  onTextChange,
  onDomain,
  pending,
  error,
  onSubmit,
  onCancel,
}: {
  text: string;
  /** Undefined for the member's default domain. */
  domain: string | undefined;
  onTextChange: (text: string) => void;
  onDomain: (domain: string) => void;
  pending: boolean;
  error: Error | null;
  onSubmit: (longUrls: string[]) => void;
  onCancel: () => void;
}) {
  const lines = parseLines(text);
  const domains = useDomainList();
  const choices = domainChoices(domains);
  const errors = serverErrors(error, ['domain']);
  const tooMany =
    lines.length > BULK_MAX
      ? `Paste at most ${BULK_MAX} links at a time. This list has ${lines.length}.`
      : undefined;
  const required = useRequired({ lines: lines.length === 0 && 'Enter at least one destination.' });
  return (
    <Form
      error={error}
      onSubmit={() => required.check() && tooMany === undefined && onSubmit(lines)}
      className="space-y-4"
    >
      <Field
        label="Destinations, one per line"
        hint="Lines with an error are listed afterwards and don’t count against your quota."
        error={required.at('lines') || (tooMany ?? errors.rest)}
      >
        {(control) => (
          <Textarea
            {...control}
            value={text}
            rows={10}
            {...VERBATIM}
            dir="ltr"
            className="font-mono"
            onChange={(event) => onTextChange(event.target.value)}
          />
        )}
      </Field>
      {choices.length > 1 && (
        <SelectField
          label="Domain"
          error={errors.at('domain')}
          choices={choices}
          value={chosenDomain(domains, domain)}
          onSelect={onDomain}
        />
      )}
      <p className="text-13 text-ink-3">
        For codes, titles, tags or more links,{' '}
        <Link to="/links/import" className={textLinkClass}>
          import a file
        </Link>
        .
      </p>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {lines.length === 0 ? 'Shorten links' : `Shorten ${plural(lines.length, 'link')}`}
        </Button>
      </DialogActions>
    </Form>
  );
}

function Result({
  response: { lines, made },
  onEditFailed,
  onClose,
}: {
  response: BulkResponse;
  onEditFailed: (lines: readonly BulkLine[]) => void;
  onClose: () => void;
}) {
  const failed = lines.length - made;
  // A failed line has no code, and the same target may appear twice.
  const rows = lines.map((line, index) => ({ key: line.ok ? line.code : `failed ${index}`, line }));
  return (
    <div className="space-y-4">
      <p className="text-14 text-ink-2">
        {plural(made, 'link')} created{failed > 0 && `, ${plural(failed, 'line')} failed`}.
        {failed > 0 && ' Fix the lines below and try again.'}
      </p>
      <ol className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {rows.map(({ key, line }) => (
          <li key={key} className="px-3 py-2 text-13">
            <LineResult line={line} />
          </li>
        ))}
      </ol>
      <DialogActions>
        {failed > 0 && <Button onClick={() => onEditFailed(lines)}>Edit failed lines</Button>}
        {made > 0 && (
          <CopyButton text={joinShortLinks(lines)} label="Copy all links" variant="primary" />
        )}
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </div>
  );
}

function LineResult({ line }: { line: BulkLine }) {
  if (line.ok)
    return (
      <>
        <span className="block font-mono text-14 text-ink [overflow-wrap:anywhere]">
          {readableUrl(line.shortUrl)}
        </span>
        <span className="line-clamp-1 text-ink-3 [overflow-wrap:anywhere]">{line.longUrl}</span>
      </>
    );
  return (
    <>
      <span dir="ltr" className="line-clamp-2 text-ink-2 [overflow-wrap:anywhere] rtl:text-end">
        {line.longUrl}
      </span>
      <span className="mt-0.5 flex items-start gap-1.5 text-bad">
        <CircleAlert className="mt-0.5 size-4 shrink-0" />
        {line.error}
      </span>
    </>
  );
}

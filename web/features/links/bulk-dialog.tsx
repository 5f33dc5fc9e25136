import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import type { BulkLine, BulkResponse } from '#contract/links.ts';
import { BULK_MAX } from '#contract/limits.ts';
import { plural, readableUrl } from '#web/shared/format.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/input.tsx';
import { parseLines, joinFailedLinks, joinShortLinks } from './bulk-lines.ts';
import { useShortenMany } from './queries.ts';

/** Bulk processing (Premium, spec §2): a pasted list becomes short links, then shows them beside what was refused and why. */
export function BulkDialog({ onClose, onMade }: { onClose: () => void; onMade: (usage: BulkResponse['usage']) => void }) {
  const [text, setText] = useState('');
  const shorten = useShortenMany((answer) => {
    announce(`${plural(answer.made, 'link')} made.`);
    if (answer.made > 0) onMade(answer.usage);
  });
  const mend = (lines: readonly BulkLine[]): void => {
    setText(joinFailedLinks(lines));
    shorten.reset();
  };
  return (
    <Dialog open onClose={onClose} title="Shorten many links" width="reading">
      {shorten.data === undefined ? (
        <ListForm
          text={text}
          onText={setText}
          pending={shorten.isPending}
          error={shorten.error?.message}
          onSubmit={(longUrls) => shorten.mutate(longUrls)}
          onCancel={onClose}
        />
      ) : (
        <Result answer={shorten.data} onMend={mend} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ListForm({
  text,
  onText,
  pending,
  error,
  onSubmit,
  onCancel,
}: {
  text: string;
  onText: (text: string) => void;
  pending: boolean;
  error: string | undefined;
  onSubmit: (longUrls: string[]) => void;
  onCancel: () => void;
}) {
  const lines = parseLines(text);
  const tooMany = lines.length > BULK_MAX ? `These are ${lines.length} links. At most ${BULK_MAX} go at a time.` : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit(lines);
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <Field
        label="Long links, one a line"
        hint="A line that cannot be shortened is shown with the reason and costs nothing."
        error={tooMany ?? error}
      >
        {(control) => (
          <Textarea
            {...control}
            value={text}
            rows={10}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={lines.length === 0 || tooMany !== undefined} pending={pending}>
          {lines.length === 0 ? 'Shorten' : `Shorten ${plural(lines.length, 'link')}`}
        </Button>
      </div>
    </form>
  );
}

function Result({
  answer: { lines, made },
  onMend,
  onClose,
}: {
  answer: BulkResponse;
  onMend: (lines: readonly BulkLine[]) => void;
  onClose: () => void;
}) {
  const refused = lines.length - made;
  // The same target may stand in the list twice.
  const rows = lines.map((line, i) => ({ key: line.ok ? line.code : `refused ${i}`, line }));
  return (
    <div className="space-y-4">
      <p className="text-14 text-ink-2">
        {plural(made, 'link')} made{refused > 0 && `, ${plural(refused, 'line')} refused`}.
      </p>
      <ol className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {rows.map(({ key, line }) => (
          <li key={key} className="px-3 py-2 text-13">
            <LineResult line={line} />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap justify-end gap-2">
        {refused > 0 && <Button onClick={() => onMend(lines)}>Mend what was refused</Button>}
        {made > 0 && <CopyButton text={joinShortLinks(lines)} label="Copy all" variant="primary" />}
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}

function LineResult({ line }: { line: BulkLine }) {
  if (line.ok)
    return (
      <>
        <span className="block font-mono text-14 text-ink [overflow-wrap:anywhere]">{readableUrl(line.shortUrl)}</span>
        <span className="line-clamp-1 text-ink-3 [overflow-wrap:anywhere]">{line.longUrl}</span>
      </>
    );
  return (
    <>
      <span className="line-clamp-2 text-ink-2 [overflow-wrap:anywhere]">{line.longUrl}</span>
      <span className="mt-0.5 flex items-start gap-1.5 text-bad">
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        {line.error}
      </span>
    </>
  );
}

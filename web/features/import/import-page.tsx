import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PLANS } from '#contract/site.ts';
import { TAGS_MAX } from '#contract/limits.ts';
import { RequestError } from '#web/shared/api/api.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { useSession } from '#web/shared/session/session.ts';
import { useTags } from '#web/shared/link-settings/use-tags.ts';
import { announce } from '#web/ui/announcer.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { CheckResult } from './check-result.tsx';
import { findChoices, rememberChoices, type ColumnChoices } from './column-choices.ts';
import { ChooseFile, type FileContent } from './choose-file.tsx';
import { ChooseSource } from './choose-source.tsx';
import { decodeText, type Encoding } from './formats/decode-text.ts';
import { toRequestRows } from './import-requests.ts';
import { ImportRun } from './import-run.tsx';
import type { Checked } from './verdicts.ts';
import { ImportError, type ImportFile } from './formats/import-row.ts';
import { readImport } from './formats/read-import.ts';
import { ReviewFile } from './review-file.tsx';
import { checkRows } from './send-rows.ts';
import type { ImportJob } from './stored-import.ts';
import { useImport } from './use-import.ts';

/**
 * Imports links in three steps: choose a file, review the check, import. A running import is shown
 * in place of a new one. If somebody else signs in, the page starts again without the other's rows.
 */
export function ImportPage() {
  const session = useSession();
  const userId = session.status === 'member' ? session.id : '';
  return <ImportSteps key={userId} userId={userId} />;
}

function ImportSteps({ userId }: { userId: string }) {
  const { current, start, pause, resume, finish, discard } = useImport(userId);
  return (
    <div className="w-full max-w-[52rem]">
      <PageHeading
        parent={{ to: '/dashboard', label: 'My URLs' }}
        title="Import links"
        hint={`Bring links along from another service or a table. Codes are kept where they are free. Premium brings ${formatNumber(PLANS.premium.importedLinks)} existing links once, on top of its quota; Free imports within its ${PLANS.free.monthlyLimit} a month. The check is free for everyone.`}
      />
      {current === undefined ? (
        <Loading label="Loading…">
          <Skeleton className="h-64 w-full" />
        </Loading>
      ) : current === null ? (
        <NewImport
          onStart={(job) => start({ ...job, id: crypto.randomUUID(), userId, state: 'running' })}
        />
      ) : (
        <ImportRun
          current={current}
          onPause={pause}
          onResume={resume}
          onFinish={finish}
          onDiscard={discard}
        />
      )}
    </div>
  );
}

type ToRead = { source: FileContent; choices?: ColumnChoices; chosenEncoding?: Encoding };
type Draft = Omit<ImportJob, 'id' | 'userId' | 'state'>;

function NewImport({ onStart }: { onStart: (job: Draft) => void }) {
  const [content, setContent] = useState<FileContent>('');
  const [encoding, setEncoding] = useState<Encoding | null>(null);
  const [file, setFile] = useState<ImportFile | null>(null);
  const [isRemembered, setIsRemembered] = useState(false);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [checkedRows, setCheckedRows] = useState(0);
  const [stop] = useState(() => new AbortController());
  const step = useRef<HTMLDivElement>(null);
  const read = useMutation({
    mutationFn: async ({ source, choices, chosenEncoding }: ToRead) => {
      const decoded =
        typeof source === 'string'
          ? { text: source, encoding: null }
          : decodeText(source, chosenEncoding);
      const readWith = (given?: ColumnChoices) => readImport(decoded.text, given);
      const first = await readWith(choices);
      const remembered =
        choices === undefined
          ? findChoices(first.columns?.map(({ name }) => name) ?? [])
          : undefined;
      const found = remembered === undefined ? first : await readWith(remembered);
      return { encoding: decoded.encoding, found, isRemembered: remembered !== undefined };
    },
    onSuccess: ({ found, encoding: used, ...rest }, { source, choices }) => {
      if (choices !== undefined) rememberChoices(choices);
      setIsRemembered(rest.isRemembered);
      setContent(source);
      setEncoding(used);
      setFile(found);
      setChecked(null);
      announce(`${plural(found.rows.length, 'row')} read.`);
    },
  });
  const check = useMutation({
    mutationFn: async ({ format, rows }: ImportFile) => {
      setCheckedRows(0);
      const { lines, ...rooms } = await checkRows(
        format,
        toRequestRows(rows),
        setCheckedRows,
        stop.signal,
      );
      return { lines: new Map(lines.map((line) => [line.line, line])), ...rooms, at: Date.now() };
    },
    onSuccess: (result) => {
      setChecked(result);
      announce('The rows are checked.');
    },
  });
  useEffect(() => () => stop.abort(), [stop]);
  // The next step scrolls into view and takes the focus.
  const isChecked = checked !== null;
  useEffect(() => {
    if (isChecked || file !== null) step.current?.focus();
  }, [isChecked, file]);
  const tagNotice = useTagNotice(file);
  if (file === null)
    return (
      <div className="space-y-4">
        <ChooseFile
          pending={read.isPending}
          error={messageOf(read.error)}
          onContent={(source) => read.mutate({ source })}
        />
        <ChooseSource onContent={(source) => read.mutate({ source })} />
      </div>
    );
  return (
    <div className="space-y-4">
      <div ref={isChecked ? undefined : step} tabIndex={-1} className="scroll-mt-20 outline-none">
        <ReviewFile
          file={file}
          tagNotice={tagNotice}
          isRemembered={isRemembered}
          checking={check.isPending ? checkedRows : null}
          error={messageOf(read.error) || messageOf(check.error)}
          encoding={encoding}
          onChoices={(choices) =>
            read.mutate({
              source: content,
              choices,
              ...(encoding !== null && { chosenEncoding: encoding }),
            })
          }
          onEncoding={(chosenEncoding) => read.mutate({ source: content, chosenEncoding })}
          onCheck={() => check.mutate(file)}
          onBack={() => {
            setFile(null);
            read.reset();
            check.reset();
          }}
        />
      </div>
      {checked !== null && (
        <div ref={step} tabIndex={-1} className="scroll-mt-20 outline-none">
          <CheckResult
            rows={file.rows}
            checked={checked}
            onImport={(collisions) => {
              const { format, formatName, rows } = file;
              onStart({ format, formatName, rows, collisions });
            }}
          />
        </div>
      )}
    </div>
  );
}

function messageOf(error: Error | null): string {
  if (error === null) return '';
  return error instanceof ImportError || error instanceof RequestError
    ? error.message
    : 'We couldn’t read this file.';
}

/**
 * Returns a notice if the file has more new tags than the account has room for. Such tags are left
 * out.
 */
function useTagNotice(file: ImportFile | null): string {
  const names = new Set(
    file?.rows.flatMap(({ tags = [] }) => tags.map((tag) => tag.trim().toLowerCase())),
  );
  const own = useTags({ enabled: names.size > 0 });
  if (own.data === undefined) return '';
  const known = new Set(own.data.map(({ name }) => name.toLowerCase()));
  const missing = [...names].filter((name) => !known.has(name)).length;
  const room = TAGS_MAX - own.data.length;
  return missing <= room
    ? ''
    : `This file has ${plural(missing, 'new tag')}, and your account has room for ${formatNumber(room)}. Tags that don’t fit are left out.`;
}

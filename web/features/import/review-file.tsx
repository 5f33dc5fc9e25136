import { IMPORT_FILE_MAX } from '#contract/limits.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Select } from '#web/ui/input.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import type { ColumnChoices } from './column-choices.ts';
import { MEANINGS } from './formats/columns.ts';
import { ENCODINGS, isEncoding, type Encoding } from './formats/decode-text.ts';
import type { ImportFile, ImportRow } from './formats/import-row.ts';
import { describeLoss } from './formats/losses.ts';

const PREVIEW_ROWS = 3;
/** The value of a column that is not imported. It differs from every meaning. */
const IGNORED = 'ignored';

const COLUMNS: readonly Column<ImportRow>[] = [
  {
    header: 'Destination',
    lead: true,
    cell: ({ url, problem }) =>
      problem === undefined ? <Text dir="ltr">{readableUrl(url)}</Text> : problem,
  },
  { header: 'Code', cell: ({ code }) => code ?? 'New code' },
  { header: 'Title', cell: ({ title }) => (title === undefined ? '–' : <Text>{title}</Text>) },
  {
    header: 'Tags',
    cell: ({ tags }) => (tags === undefined ? '–' : <Text>{tags.join(', ')}</Text>),
  },
  {
    header: 'Clicks so far',
    numeric: true,
    cell: ({ clicks }) => (clicks === undefined ? '–' : formatNumber(clicks)),
  },
];

/**
 * Aligns text of the file with the text of the page, and truncates it at the end of its own
 * direction.
 */
const Text = ({ dir = 'auto', children }: { dir?: 'auto' | 'ltr'; children: string }) => (
  <span dir={dir} className="block truncate text-match-parent">
    {children}
  </span>
);

/** Lists what the links lose, with the number of links that lose it. */
const LossList = ({ losses }: Pick<ImportFile, 'losses'>) =>
  losses.length > 0 && (
    <Notice tone="warn">
      <p className="font-medium">What these links lose</p>
      <ul className="mt-1 list-disc space-y-0.5 ps-5">
        {losses.map((loss) => (
          <li key={loss.text}>{describeLoss(loss)}</li>
        ))}
      </ul>
    </Notice>
  );

/**
 * Shows the detected format, the columns and the first rows of a file. The member can change the
 * meaning of a column.
 */
export function ReviewFile({
  file,
  tagNotice,
  isRemembered,
  checking,
  error,
  encoding,
  onChoices,
  onEncoding,
  onCheck,
  onBack,
}: {
  file: ImportFile;
  /** A notice about tags for which the account has no room, or ''. */
  tagNotice: string;
  /** True if the columns have the meanings that were chosen for an earlier file. */
  isRemembered: boolean;
  /** The number of rows checked so far; null if no check is running. */
  checking: number | null;
  error: string;
  /** How the file was decoded; null for pasted text. */
  encoding: Encoding | null;
  onChoices: (choices: ColumnChoices) => void;
  onEncoding: (encoding: Encoding) => void;
  onCheck: () => void;
  onBack: () => void;
}) {
  const { rows, columns = [], formatName, notice } = file;
  const isTooLong = rows.length > IMPORT_FILE_MAX;
  const unreadable = rows.filter(({ problem }) => problem !== undefined).length;
  const change = (name: string, meaning: string): void => {
    // Each meaning has one column.
    const chosen = columns.map((column): [string, string] => {
      if (column.name === name) return [name, meaning];
      return [
        column.name,
        column.meaning === null || column.meaning === meaning ? IGNORED : column.meaning,
      ];
    });
    onChoices(Object.fromEntries(chosen));
  };
  return (
    <Panel
      title={`${plural(rows.length, 'row')} from ${formatName}`}
      hint={unreadable > 0 ? `${plural(unreadable, 'row')} can’t be read.` : undefined}
      action={
        <Button size="sm" disabled={checking !== null} onClick={onBack}>
          Choose another file
        </Button>
      }
    >
      <div className="space-y-5">
        {isTooLong && (
          <Notice tone="warn">
            This file has {plural(rows.length, 'row')}. Up to {formatNumber(IMPORT_FILE_MAX)} rows
            can be imported at a time. Split the file and import the parts.
          </Notice>
        )}
        {notice !== undefined && <Notice tone="warn">{notice}</Notice>}
        {tagNotice !== '' && <Notice tone="warn">{tagNotice}</Notice>}
        {encoding !== null && (
          <div className="flex flex-wrap items-center gap-2 text-13">
            <label htmlFor="encoding" className="text-ink-2">
              Characters read as
            </label>
            <Select
              id="encoding"
              value={encoding}
              disabled={checking !== null}
              choices={Object.entries(ENCODINGS)}
              onSelect={(value) => isEncoding(value) && onEncoding(value)}
            />
          </div>
        )}
        <LossList losses={file.losses} />
        {columns.length > 0 && (
          <fieldset>
            <legend className="mb-2 text-13 font-medium">What the columns are</legend>
            {isRemembered && (
              <p className="mb-2 text-13 text-ink-2">
                As you chose for the last file with these columns.
              </p>
            )}
            <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {columns.map(({ name, meaning }) => (
                <li key={name} className="min-w-0">
                  <label>
                    <span className="mb-1 block truncate font-mono text-13 text-ink-2">
                      {name === '' ? 'Unnamed column' : name}
                    </span>
                    <Select
                      value={meaning ?? IGNORED}
                      disabled={checking !== null}
                      choices={[[IGNORED, 'Not imported'], ...Object.entries(MEANINGS)]}
                      onSelect={(value) => change(name, value)}
                    />
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        )}
        <div>
          <h3 className="mb-1 text-13 font-medium">
            {rows.length > PREVIEW_ROWS ? `The first ${PREVIEW_ROWS} rows` : 'The rows'}
          </h3>
          <Table
            caption="The first rows of the file"
            columns={COLUMNS}
            rows={rows.slice(0, PREVIEW_ROWS)}
            keyOf={({ line }) => line}
          />
        </div>
        {error !== '' && <Notice tone="bad">{error}</Notice>}
        <div className="flex flex-wrap items-center justify-end gap-3">
          {checking !== null && (
            <output className="text-13 text-ink-3 tabular-nums">
              {formatNumber(checking)} of {plural(rows.length - unreadable, 'row')} checked
            </output>
          )}
          <Button
            variant="primary"
            pending={checking !== null}
            disabled={isTooLong || unreadable === rows.length}
            onClick={onCheck}
          >
            Check rows
          </Button>
        </div>
      </div>
    </Panel>
  );
}

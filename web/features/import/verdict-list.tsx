import { clsx } from 'clsx';
import { useState } from 'react';
import { codeOfKey } from '#contract/codes/code-of-key.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import {
  countVerdicts,
  shortUrlOfRow,
  VERDICTS,
  type RowVerdict,
  type VerdictKind,
} from './verdicts.ts';

const PAGE = 50;

/** Lists the rows of a file with their verdicts, all or those with one kind of verdict. */
export function VerdictList({ verdicts }: { verdicts: readonly RowVerdict[] }) {
  const [only, setOnly] = useState<VerdictKind | null>(null);
  const [shown, setShown] = useState(PAGE);
  const counts = countVerdicts(verdicts);
  const filter = counts.some(({ kind }) => kind === only) ? only : null;
  const rows = filter === null ? verdicts : verdicts.filter(({ kind }) => kind === filter);
  const options = [{ kind: null, count: verdicts.length }, ...counts];
  return (
    <div>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Show rows</legend>
        {options.map(({ kind, count }) => (
          <button
            key={kind ?? 'all'}
            type="button"
            aria-pressed={filter === kind}
            onClick={() => {
              setOnly(kind);
              setShown(PAGE);
            }}
            className={clsx(
              'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-13 font-medium tabular-nums transition-colors duration-150 pointer-coarse:h-11',
              filter === kind
                ? 'border-ink bg-hover text-ink forced-colors:border-[Highlight] forced-colors:text-[Highlight]'
                : 'border-line text-ink-2 hover:bg-hover active:bg-pressed',
            )}
          >
            {kind === null ? 'All' : VERDICTS[kind].label}{' '}
            <span className="text-ink-3">{formatNumber(count)}</span>
          </button>
        ))}
      </fieldset>
      <ul aria-label="Rows" className="mt-3 divide-y divide-line border-y border-line">
        {rows.slice(0, shown).map((verdict) => (
          <VerdictRow key={verdict.row.line} verdict={verdict} />
        ))}
      </ul>
      {rows.length > PAGE && (
        <LoadMore
          shown={`${formatNumber(Math.min(shown, rows.length))} of ${plural(rows.length, 'row')}`}
          next={
            shown < rows.length
              ? { isFetchingNextPage: false, fetchNextPage: () => setShown(shown + 10 * PAGE) }
              : null
          }
        />
      )}
    </div>
  );
}

function VerdictRow({ verdict: { row, kind, code, text } }: { verdict: RowVerdict }) {
  return (
    <li className="grid grid-cols-[auto_1fr_auto] items-baseline gap-x-3 gap-y-0.5 py-2.5 text-13">
      <span className="w-10 text-end text-ink-3 tabular-nums">
        <span className="sr-only">Line </span>
        {row.line}
      </span>
      <span className="min-w-0 truncate font-mono text-14">
        {code === null ? (
          (row.code ?? '')
        ) : (
          <VerdictUrl url={readableUrl(shortUrlOfRow(row, code))} code={codeOfKey(code)} />
        )}
        {code === null && row.code === undefined && (
          <span className="font-sans text-ink-3">{row.title ?? 'No code'}</span>
        )}
      </span>
      <Badge tone={VERDICTS[kind].tone}>{VERDICTS[kind].label}</Badge>
      <span className="col-start-2 col-end-4 min-w-0 truncate text-ink-2" data-tooltip={row.url}>
        {readableUrl(row.url)}
      </span>
      {text !== '' && (
        <span className="col-start-2 col-end-4 text-ink-3 [overflow-wrap:anywhere]">{text}</span>
      )}
    </li>
  );
}

/** A short URL, without its host on phones. */
const VerdictUrl = ({ url, code }: { url: string; code: string }) => (
  <>
    <span className="text-ink-3 max-sm:hidden">{url.slice(0, -code.length - 1)}</span>/{code}
  </>
);

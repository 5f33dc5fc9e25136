import { formatDateInUtc, readableUrl } from '#web/shared/texts/format.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useState } from 'react';
import { codeOfKey } from '#contract/codes/code-of-key.ts';
import type { CompareResponse } from '#contract/reports/overview.ts';
import { plural } from '#contract/language.ts';
import { buildSeries } from '#web/features/analytics/chart-series.ts';
import { formatPoint, isNarrow, useElementWidth } from '#web/features/analytics/clicks-chart.tsx';
import { searchOf, type Selection } from '#web/features/analytics/range.ts';
import { config } from '#web/shared/page/config.ts';
import { domainFromAddress } from '#web/shared/link-settings/domain-choices.ts';
import { Button, iconButtonClass } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Form } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { CompareChart, LineSample } from './compare-chart.tsx';
import { compareOptions } from './overview-queries.ts';
import { COMPARED_MAX, type ComparedNames, type ComparedKind } from './use-compared.ts';

const WORDS = { links: 'link', tags: 'tag' } as const satisfies Record<ComparedKind, string>;

/** A link by its key, or a tag by its name, with its text for people. */
export type Suggestion = { name: string; label: string };

/** Compares links, or tags, on one chart. `suggestions` are those that the field offers. */
export function ComparePanel({
  kind,
  compared,
  range,
  suggestions,
}: {
  kind: ComparedKind;
  compared: ComparedNames;
  range: Selection;
  suggestions: readonly Suggestion[];
}) {
  const { names } = compared;
  const word = WORDS[kind];
  const search = `${new URLSearchParams({ [kind]: names.join(',') }).toString()}&${searchOf(range)}`;
  const answer = useQuery({
    ...compareOptions(search),
    enabled: names.length > 0,
    placeholderData: keepPreviousData,
    retry: 1,
  });
  return (
    <Panel
      title={`Compare ${word}s`}
      hint={`Up to ${COMPARED_MAX[kind]} on one chart.`}
      action={
        <button
          type="button"
          aria-label="Close the comparison"
          onClick={compared.stop}
          className={iconButtonClass}
        >
          <X className="size-4" />
        </button>
      }
    >
      <div className="flex flex-col gap-4">
        {!compared.isFull && (
          <AddField
            word={word}
            suggestions={suggestions.filter(({ name }) => !names.includes(name))}
            onAdd={(name) => !names.includes(name) && compared.toggle(kind, name)}
          />
        )}
        {answer.isError && names.length > 0 && (
          <ErrorLine message={`Failed to compare. ${answer.error.message}`} query={answer} />
        )}
        {names.length > 0 &&
          (answer.data === undefined ? (
            !answer.isError && (
              <Loading label="Loading the comparison…">
                <Skeleton className="h-60 w-full" />
              </Loading>
            )
          ) : (
            <div
              className={clsx('min-w-0', answer.isPlaceholderData && 'opacity-50')}
              aria-busy={answer.isPlaceholderData}
            >
              <Chart comparison={answer.data} />
            </div>
          ))}
        {names.length > 0 && (
          <Legend
            kind={kind}
            compared={compared}
            comparison={answer.data}
            suggestions={suggestions}
          />
        )}
        {names.length < 2 && (
          <p className="text-13 text-ink-3">
            {names.length === 0
              ? `Choose the ${word}s to compare.`
              : `Choose another ${word} to compare it with.`}
          </p>
        )}
        {answer.data?.shortenedBy != null && answer.data.period.from !== null && (
          <p className="text-13 text-ink-3">
            Days before {formatDateInUtc(answer.data.period.from)} cannot be compared.
          </p>
        )}
      </div>
    </Panel>
  );
}

/** A field for a name, which also takes a short URL, with suggestions. */
function AddField({
  word,
  suggestions,
  onAdd,
}: {
  word: string;
  suggestions: readonly Suggestion[];
  onAdd: (name: string) => void;
}) {
  const [text, setText] = useState('');
  const add = (value: string): void => {
    const typed = value.trim();
    const known = suggestions.find(({ label }) => label === readableUrl(typed));
    const name = known?.name ?? (word === 'link' ? nameOfLink(typed) : typed);
    if (name !== '') onAdd(name);
    setText('');
  };
  return (
    <Form onSubmit={() => add(text)} className="flex max-w-form flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={word === 'link' ? 'Code or short URL' : 'Tag'}
          list={`compare-${word}`}
          autoComplete="off"
          value={text}
          // A suggestion that is chosen needs no further key.
          onText={(value) =>
            suggestions.some(({ label }) => label === value) ? add(value) : setText(value)
          }
        />
        <datalist id={`compare-${word}`}>
          {suggestions.map(({ name, label }) => (
            <option key={name} value={label}>
              {label}
            </option>
          ))}
        </datalist>
      </div>
      <Button type="submit">Add {word}</Button>
    </Form>
  );
}

/**
 * Returns the name of a link for the comparison: the code in a typed short URL, or
 * `go.example.com/sale` on a domain.
 */
function nameOfLink(typed: string): string {
  const [, host = '', code = ''] = /^(?:https?:\/\/)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(typed) ?? [];
  const isOwn = domainFromAddress(host.toLowerCase()) === '';
  if (config.domains && host.includes('.') && !isOwn) return `${host.toLowerCase()}/${code}`;
  return typed.replace(/^.*\//, '');
}

function Legend({
  kind,
  compared,
  comparison,
  suggestions,
}: {
  kind: ComparedKind;
  compared: ComparedNames;
  comparison: CompareResponse | undefined;
  suggestions: readonly Suggestion[];
}) {
  return (
    <ul aria-label="Compared" className="m-0 flex list-none flex-col gap-1 p-0">
      {compared.names.map((name, index) => {
        const counted = comparison?.series.find((one) => one.name === name);
        const label =
          suggestions.find((one) => one.name === name)?.label ??
          (kind === 'links' ? codeOfKey(name) : name);
        return (
          <li key={name} className="flex min-w-0 items-center gap-2 text-14">
            <LineSample index={index} />
            <span className="min-w-0 truncate">
              {kind === 'links' ? (
                <Link
                  to={`/analytics/${encodeURIComponent(counted?.code ?? name)}`}
                  className="font-mono text-13 hover:underline"
                >
                  {label}
                </Link>
              ) : (
                label
              )}{' '}
              <span className="text-13 text-ink-3">{counted?.title}</span>
            </span>
            <span className="ms-auto shrink-0 font-medium tabular-nums">
              {counted === undefined ? '' : plural(counted.totalClicks, 'click')}
            </span>
            <button
              type="button"
              aria-label={`Remove ${label} from the comparison`}
              onClick={() => compared.toggle(kind, name)}
              className={iconButtonClass}
            >
              <X className="size-4" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Chart({ comparison }: { comparison: CompareResponse }) {
  const [box, width] = useElementWidth<HTMLDivElement>();
  const { range, period, generatedAt, series } = comparison;
  // All lines have the same points, from the first day on which any of them had a click.
  const first = series.flatMap(({ clicksByDate }) => Object.keys(clicksByDate)).sort()[0];
  const built = series.map(({ clicksByDate, visitorsByDate }) =>
    buildSeries(
      {
        range,
        period: { ...period, from: period.from ?? first ?? period.to },
        generatedAt,
        url: { created_at: generatedAt },
        analytics: { clicksByDate, visitorsByDate },
      },
      { hours: false, narrow: isNarrow(width) },
    ),
  );
  const [one] = built;
  if (one === undefined) return null;
  return (
    <div ref={box} className="min-w-0">
      <CompareChart
        width={width}
        points={one.points.map((point) => formatPoint(one.step, point))}
        lines={series.map(({ name }, index) => ({
          name,
          values: built[index]?.points.map(({ clicks }) => clicks) ?? [],
        }))}
      />
    </div>
  );
}

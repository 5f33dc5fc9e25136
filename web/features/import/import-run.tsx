import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { BYTE_ORDER_MARK } from '#contract/files/csv.ts';
import { formatNumber, plural } from '#contract/language.ts';
import { saveFile } from '#web/shared/page/save-file.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { RunningImport } from './use-import.ts';
import { VerdictList } from './verdict-list.tsx';
import { outcomes, resultCsv, type VerdictKind } from './verdicts.ts';

type Actions = {
  onPause: () => void;
  onResume: () => void;
  onFinish: () => void;
  onDiscard: () => void;
};

export function ImportRun({ current, ...actions }: { current: RunningImport } & Actions) {
  const { state } = current.job;
  return (
    <FocusTarget key={state}>
      {state === 'done' ? (
        <Result current={current} {...actions} />
      ) : (
        <Progress current={current} {...actions} />
      )}
    </FocusTarget>
  );
}

/** Takes the focus if the button that had it was removed. */
function FocusTarget({ children }: { children: ReactNode }) {
  const target = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) target.current?.focus();
  }, []);
  return (
    <div ref={target} tabIndex={-1} className="scroll-mt-20 outline-none">
      {children}
    </div>
  );
}

function Progress({
  current: { job, lines, error },
  onPause,
  onResume,
  onFinish,
}: { current: RunningImport } & Actions) {
  const total = job.rows.filter(({ problem }) => problem === undefined).length;
  const done = lines.size;
  const isRunning = job.state === 'running';
  return (
    <Panel title={isRunning ? `Importing links from ${job.formatName}` : 'The import is stopped'}>
      <div className="space-y-4">
        {error !== '' && <Notice tone="bad">{error}</Notice>}
        <progress
          aria-label="Rows imported"
          max={total}
          value={done}
          className="block h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ink"
        />
        <p className="text-14 text-ink-2 tabular-nums">
          {formatNumber(done)} of {plural(total, 'row')}
        </p>
        <p className="text-13 text-ink-3">
          {isRunning
            ? 'Keep this page open. After a reload the import continues where it was.'
            : 'The links that were created stay. You can resume the import at any time in this browser.'}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          {isRunning ? (
            <Button onClick={onPause}>Stop import</Button>
          ) : (
            <>
              <Button onClick={onFinish}>Show result</Button>
              <Button variant="primary" onClick={onResume}>
                Resume import
              </Button>
            </>
          )}
        </div>
      </div>
    </Panel>
  );
}

function Result({
  current: { job, lines },
  onResume,
  onDiscard,
}: { current: RunningImport } & Actions) {
  const verdicts = useMemo(() => outcomes(job.rows, lines), [job.rows, lines]);
  const count = (...kinds: VerdictKind[]): number =>
    verdicts.filter(({ kind }) => kinds.includes(kind)).length;
  const [created, open] = [count('created'), count('over_quota', 'waiting')];
  const others = [
    [count('exists'), 'already there'],
    [count('skipped'), 'skipped, because the code is not available'],
    [count('rejected', 'unreadable'), 'not imported'],
    [open, 'left to import'],
  ] as const;
  const facts = others.filter(([n]) => n > 0).map(([n, text]) => `${formatNumber(n)} ${text}`);
  const download = (): void =>
    saveFile(
      new Blob([BYTE_ORDER_MARK + resultCsv(verdicts)], {
        type: 'text/csv;charset=utf-8',
      }),
      'hop-import-result.csv',
    );
  return (
    <Panel
      title={`${plural(created, 'link')} imported from ${job.formatName}`}
      hint={facts.length === 0 ? undefined : `${facts.join(', ')}.`}
    >
      <div className="space-y-5">
        <div className="flex flex-wrap gap-2">
          <LinkButton to={`/dashboard?import=${job.id}`} variant="primary">
            View links
          </LinkButton>
          <Button onClick={download}>Download result</Button>
          {open > 0 && <Button onClick={onResume}>Import the other {plural(open, 'row')}</Button>}
          <Button onClick={onDiscard}>Import another file</Button>
        </div>
        <VerdictList verdicts={verdicts} />
      </div>
    </Panel>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { ImportLine } from '#contract/files/import.ts';
import { announce } from '#web/ui/announcer.ts';
import { toRequestRows } from './import-requests.ts';
import { sendRows } from './send-rows.ts';
import { deleteImport, loadImport, saveJob, saveLines, type ImportJob } from './stored-import.ts';

/** Verdicts by the position of their rows, counted from 1. */
export type Lines = ReadonlyMap<number, ImportLine>;
export type RunningImport = { job: ImportJob; lines: Lines; error: string };

/**
 * Returns the member's import, null if there is none, undefined until that is known. An import that
 * was started earlier continues when the page opens.
 */
export function useImport(userId: string) {
  const [current, setCurrent] = useState<RunningImport | null | undefined>(undefined);
  const queries = useQueryClient();
  useEffect(() => {
    let isMounted = true;
    void loadImport(userId).then((found) => {
      if (isMounted) setCurrent(found && { job: found.job, lines: toMap(found.lines), error: '' });
    });
    return () => {
      isMounted = false;
    };
  }, [userId]);

  const change = useCallback((job: ImportJob, error = '') => {
    setCurrent((known) => ({
      job,
      lines: known?.job.id === job.id ? known.lines : new Map(),
      error,
    }));
    void saveJob(job);
  }, []);

  const job = current?.job ?? null;
  useEffect(() => {
    if (job?.state !== 'running') return undefined;
    const stop = new AbortController();
    void run(job, stop.signal, (lines) => {
      setCurrent((known) =>
        known?.job.id === job.id
          ? { ...known, lines: new Map([...known.lines, ...toMap(lines)]) }
          : known,
      );
    }).then(
      () => {
        if (stop.signal.aborted) return;
        change({ ...job, state: 'done' });
        announce('The import is finished.');
        void queries.invalidateQueries();
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        change({ ...job, state: 'paused' }, error instanceof Error ? error.message : '');
        void queries.invalidateQueries();
      },
    );
    return () => stop.abort();
  }, [job, change, queries]);

  return {
    current,
    start: change,
    pause: () => job !== null && change({ ...job, state: 'paused' }),
    resume: () => job !== null && change({ ...job, state: 'running' }),
    finish: () => job !== null && change({ ...job, state: 'done' }),
    discard: () => {
      setCurrent(null);
      if (job !== null) void deleteImport(job);
    },
  };
}

async function run(
  job: ImportJob,
  signal: AbortSignal,
  onLines: (lines: ImportLine[]) => void,
): Promise<void> {
  const known = toMap((await loadImport(job.userId))?.lines ?? []);
  const rows = toRequestRows(job.rows).filter(({ line }) => isOpen(known.get(line)));
  await sendRows(
    job,
    rows,
    async (lines) => {
      await saveLines(job, lines);
      onLines(lines);
    },
    signal,
  );
}

/** The quota may have room again. */
const isOpen = (line: ImportLine | undefined): boolean =>
  line === undefined || line.verdict === 'over_quota';

const toMap = (lines: readonly ImportLine[]): Lines =>
  new Map(lines.map((line) => [line.line, line]));

import { formatNumber } from '#contract/language.ts';

type Progress = { show: (done: number) => void; clear: () => void };

/**
 * Shows how far long work is, on one line of the terminal. Elsewhere it shows nothing, because logs
 * would keep each step.
 */
export function showProgress(what: string, total?: number): Progress {
  const write = (line: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line}`);
  };
  const end = total === undefined ? '' : ` of ${formatNumber(total)}`;
  return { show: (done) => write(`${formatNumber(done)}${end} ${what}`), clear: () => write('') };
}

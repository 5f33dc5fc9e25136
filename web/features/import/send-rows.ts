import type {
  ImportCheckLine,
  ImportCheckResponse,
  ImportLine,
  ImportRequestRow,
  ImportResponse,
} from '#contract/files/import.ts';
import type { CollisionChoice, ImportFormat } from '#contract/files/import-formats.ts';
import { IMPORT_CHECK_MAX, IMPORT_MAX } from '#contract/limits.ts';
import { api, RequestError } from '#web/shared/api/api.ts';
import { splitRows } from './import-requests.ts';

/** The delays before further attempts, in ms. */
const WAITS_MS = [1000, 4000, 15_000, 45_000];

/** Asks the server what an import would do. `onProgress` receives the number of checked rows. */
export async function checkRows(
  format: ImportFormat,
  rows: readonly ImportRequestRow[],
  onProgress: (rows: number) => void,
  signal: AbortSignal,
): Promise<ImportCheckResponse> {
  const lines: ImportCheckLine[] = [];
  let rooms = { room: 0, allowance: 0 };
  for (const part of splitRows(rows, IMPORT_CHECK_MAX)) {
    const body = { format, rows: part };
    const answer = await withRetries(
      () => api<ImportCheckResponse>('/api/links/import/check', { method: 'POST', body, signal }),
      signal,
    );
    lines.push(...answer.lines);
    rooms = { room: answer.room, allowance: answer.allowance };
    onProgress(lines.length);
  }
  return { ...rooms, lines };
}

/**
 * Imports rows, one request after the other. `onLines` receives the verdicts of each response. A
 * request without a response is repeated, because the server creates nothing twice.
 */
export async function sendRows(
  { id, format, collisions }: { id: string; format: ImportFormat; collisions: CollisionChoice },
  rows: readonly ImportRequestRow[],
  onLines: (lines: ImportLine[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (const part of splitRows(rows, IMPORT_MAX)) {
    const body = { format, id, collisions, rows: part };
    const answer = await withRetries(
      () => api<ImportResponse>('/api/links/import', { method: 'POST', body, signal }),
      signal,
    );
    await onLines(answer.lines);
  }
}

/** Repeats a request after a network error, a busy server, or the rate limit. */
export async function withRetries<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await send();
    } catch (error) {
      const isTemporary =
        error instanceof RequestError &&
        (error.status === 0 || error.status === 429 || error.status >= 500);
      if (!isTemporary || signal.aborted) throw error;
      await sleep(wait, signal);
    }
  }
  return send();
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('The import was stopped.', 'AbortError'));
    });
  });

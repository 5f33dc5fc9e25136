import type { CollisionChoice, ImportLine } from '#contract/import.ts';
import { IMPORT_DATABASE } from '#web/shared/import-database.ts';
import type { ImportFormat } from '#contract/import-formats.ts';
import type { ImportRow } from './formats/import-row.ts';

/**
 * An import that has begun. It is kept in the browser, so that it continues after a reload without
 * its file.
 */
export type ImportJob = {
  /** The id under which the server knows the import. */
  id: string;
  userId: string;
  format: ImportFormat;
  formatName: string;
  collisions: CollisionChoice;
  rows: ImportRow[];
  state: 'running' | 'paused' | 'done';
};

const JOBS = 'jobs';
const LINES = 'lines';

/**
 * The member's import and the verdicts on its rows so far; null if there is none, or if the browser
 * stores nothing.
 */
export async function loadImport(
  userId: string,
): Promise<{ job: ImportJob; lines: ImportLine[] } | null> {
  const job = await inStore<ImportJob | undefined>(JOBS, 'readonly', (store) => store.get(userId));
  if (job === undefined) return null;
  const lines = await inStore<ImportLine[][]>(LINES, 'readonly', (store) =>
    store.getAll(linesOf(job.id)),
  );
  return { job, lines: lines?.flat() ?? [] };
}

/** A member has one import at a time. */
export const saveJob = (job: ImportJob): Promise<unknown> =>
  inStore(JOBS, 'readwrite', (store) => store.put(job, job.userId));

/**
 * A later verdict on a row follows an earlier one: a row can be sent again when the quota has room.
 */
export const saveLines = (job: ImportJob, lines: ImportLine[]): Promise<unknown> =>
  inStore(LINES, 'readwrite', (store) =>
    store.put(lines, [job.id, Date.now(), lines[0]?.line ?? 0]),
  );

export async function deleteImport(job: ImportJob): Promise<void> {
  await inStore(JOBS, 'readwrite', (store) => store.delete(job.userId));
  await inStore(LINES, 'readwrite', (store) => store.delete(linesOf(job.id)));
}

const linesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);

/**
 * Runs one request. A browser that stores nothing answers undefined: an import then works, but not
 * across a reload.
 */
async function inStore<T>(
  name: string,
  mode: IDBTransactionMode,
  request: (store: IDBObjectStore) => IDBRequest,
): Promise<T | undefined> {
  let database: IDBDatabase | undefined;
  try {
    database = await open();
    const transaction = database.transaction(name, mode);
    const asked: IDBRequest<T> = request(transaction.objectStore(name));
    await new Promise((resolve, reject) => {
      transaction.addEventListener('complete', resolve);
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('The transaction was aborted.')),
      );
    });
    return asked.result;
  } catch {
    return undefined;
  } finally {
    // An open connection would keep a sign-out from deleting the database.
    database?.close();
  }
}

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(IMPORT_DATABASE, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(JOBS);
      request.result.createObjectStore(LINES);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The database cannot be opened.')),
    );
  });

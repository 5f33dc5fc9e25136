import type { ImportLine } from '#contract/files/import.ts';
import { IMPORT_DATABASE } from '#web/shared/session/import-database.ts';
import type { CollisionChoice, ImportFormat } from '#contract/files/import-formats.ts';
import type { ImportRow } from './formats/import-row.ts';

/** A started import, stored in the browser so that it continues after a reload without its file. */
export type ImportJob = {
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
 * Returns the member's import with its verdicts so far; null if there is none, or if the browser
 * blocks storage.
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

/** A member has one import at a time, so this replaces an earlier one. */
export const saveJob = (job: ImportJob): Promise<unknown> =>
  inStore(JOBS, 'readwrite', (store) => store.put(job, job.userId));

/**
 * Stores verdicts. A later verdict on a row replaces the earlier one, because a row can be sent
 * again when the quota has room.
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
 * Runs a request on the browser's database. Returns undefined if storage is blocked: the import
 * then works, but does not survive a reload.
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

/** The browser's database with the rows of a started import. */
export const IMPORT_DATABASE = 'hop-import';

/** Runs on sign-out, because the next user of this browser must not find the links. */
export function deleteStoredImport(): void {
  try {
    indexedDB.deleteDatabase(IMPORT_DATABASE);
  } catch {
    // A browser that blocks storage has stored nothing.
  }
}

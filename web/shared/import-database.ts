/** The browser's database with the rows of an import that has begun. */
export const IMPORT_DATABASE = 'hop-import';

/** For signing out: the next user of this browser must not find the links. */
export function deleteStoredImport(): void {
  try {
    indexedDB.deleteDatabase(IMPORT_DATABASE);
  } catch {
    // A browser without storage has stored nothing.
  }
}

/** The browser's database with the rows of a started import. */
export const IMPORT_DATABASE = 'hop-import';
/** The localStorage key of the account that may have a stored import in this browser. */
const OWNER = 'hop-import-owner';
/** The localStorage key of the meanings that were chosen for the columns of files. */
export const COLUMN_CHOICES = 'hop-import-columns';

/**
 * Runs when somebody signs in or is signed in already. Deletes the import that another account has
 * left here: a session that ended by itself leaves it, so that its owner can continue.
 */
export function keepImportOf(userId: string): void {
  try {
    if (localStorage.getItem(OWNER) === userId) return;
    deleteStoredImport();
    localStorage.setItem(OWNER, userId);
  } catch {
    // A browser that blocks storage has stored nothing.
  }
}

/** Runs on sign-out, because the next user of this browser must not find the links. */
export function deleteStoredImport(): void {
  try {
    localStorage.removeItem(OWNER);
    localStorage.removeItem(COLUMN_CHOICES);
    indexedDB.deleteDatabase(IMPORT_DATABASE);
  } catch {
    // A browser that blocks storage has stored nothing.
  }
}

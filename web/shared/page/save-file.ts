/**
 * How long in ms the file's temporary URL is kept. Some browsers still read it after `click()` has
 * returned.
 */
const RELEASE_AFTER_MS = 10_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}

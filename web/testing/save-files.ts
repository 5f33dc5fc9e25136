import { vi } from 'vitest';

/** Keeps files from being saved. Returns the name and size of each: 'links.csv, 12 bytes'. */
export function saveFiles(): string[] {
  const saved: string[] = [];
  let size = 0;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    size = file instanceof Blob ? file.size : 0;
    return 'blob:x';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.download}, ${size} bytes`);
  });
  return saved;
}

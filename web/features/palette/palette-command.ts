import type { LucideIcon } from 'lucide-react';

/** Something that the palette can do. `words` are further words by which it is found. */
export type PaletteCommand = {
  id: string;
  label: string;
  icon: LucideIcon;
  words?: string;
  /** The key that does the same, for example 'c'. */
  shortcut?: string;
  run: () => void;
};

/** True if each word of the search begins a word of the command. */
export function matchesSearch({ label, words = '' }: PaletteCommand, search: string): boolean {
  const known = `${label} ${words}`.toLowerCase().split(/\s+/);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.some((other) => other.startsWith(word)));
}

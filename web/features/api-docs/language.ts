import { createStore } from '#web/ui/create-store.ts';
import { LANGUAGES, type Language } from './samples.ts';

const KEY = 'hop-docs-language';

function read(): Language {
  try {
    const stored = localStorage.getItem(KEY);
    return LANGUAGES.find(({ value }) => value === stored)?.value ?? 'curl';
  } catch {
    return 'curl';
  }
}

const store = createStore(import.meta.env.SSR ? 'curl' : read(), () => 'curl' as const);

/** The language that all samples of the page are shown in. */
export const useLanguage = store.use;

/** Changes the language, and remembers it for the next visit. */
export function chooseLanguage(language: Language): void {
  store.set(language);
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The storage is full or forbidden: the choice lasts as long as the page.
  }
}

import { createContext } from 'react';
import type { Language } from './samples.ts';

/** The language that all samples of the page are shown in. */
export const LanguageContext = createContext<{
  language: Language;
  choose: (language: Language) => void;
}>({ language: 'curl', choose: () => undefined });

import { reference } from 'virtual:api-reference';
import type { Guide } from './guides.ts';
import type { OperationText } from './reference.ts';

/** A part of the page, with the words that the search finds it by. */
export type DocsEntry = { id: string; title: string; method?: string | undefined; words: string };

export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The entries that contain every word, those with the words in their title first. */
export function searchDocs(words: readonly string[], guides: readonly Guide[]): DocsEntry[] {
  const entries: DocsEntry[] = [
    ...guides.map(({ id, title, text }) => ({
      id,
      title,
      words: [...text.flat(), ...(id === 'assistants' ? reference.tools.map(fieldText) : [])].join(
        ' ',
      ),
    })),
    ...reference.problems.map(({ code, title, advice }) => ({
      id: `error-${code}`,
      title: code,
      words: `${title} ${advice}`,
    })),
    ...reference.groups.flatMap(({ operations }) => operations.map(entryOf)),
    ...reference.shapes.map(({ name, fields, text }) => ({
      id: `schema-${name}`,
      title: name,
      words: `${text} ${fields.map(fieldText).join(' ')}`,
    })),
    ...reference.events.map(({ type, text }) => ({
      id: `event-${type}`,
      title: type,
      words: text,
    })),
  ];
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const found = entries.filter(({ title, words: text }) => holds(`${title} ${text}`));
  return [
    ...found.filter(({ title }) => holds(title)),
    ...found.filter(({ title }) => !holds(title)),
  ];
}

const fieldText = ({ name, text }: { name: string; text: string }): string => `${name} ${text}`;

const entryOf = ({
  id,
  summary,
  method,
  path,
  text,
  parameters,
  query,
  body,
}: OperationText): DocsEntry => ({
  id,
  title: summary,
  method,
  words: [method, path, text, ...[...parameters, ...query, ...body].map(fieldText)].join(' '),
});

import { useState } from 'react';
import { reference } from 'virtual:api-reference';
import { Input } from '#web/ui/input.tsx';
import { Method } from './operation.tsx';
import type { Guide } from './guides.ts';
import type { OperationText } from './reference.ts';

export const anchorOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

type Entry = { id: string; title: string; method?: string; words: string };

const link = 'block rounded-md py-1 text-ink-2 hover:text-ink pointer-coarse:py-2';

/** The table of contents, with a search in everything that the page says. */
export function Contents({
  before,
  after,
  className,
}: {
  before: readonly Guide[];
  after: readonly Guide[];
  className: string;
}) {
  const [search, setSearch] = useState('');
  const words = wordsOf(search);
  return (
    <nav aria-label="On this page" className={`text-13 ${className}`}>
      <Input
        type="search"
        aria-label="Search the documentation"
        placeholder="Search"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {words.length > 0 ? (
        <Results found={find(words, [...before, ...after])} />
      ) : (
        <ul className="mt-3">
          <Guides guides={before} />
          {reference.groups.map(({ name, operations }) => (
            <li key={name} className="mt-3">
              <a href={`#${anchorOf(name)}`} className={`${link} font-medium`}>
                {name}
              </a>
              <ul>
                {operations.map((operation) => (
                  <li key={operation.id}>
                    <OperationLink {...operation} title={operation.summary} />
                  </li>
                ))}
              </ul>
            </li>
          ))}
          <li className="mt-3">
            <a href="#shapes" className={`${link} font-medium`}>
              Shapes
            </a>
          </li>
          <Guides guides={after} />
        </ul>
      )}
    </nav>
  );
}

const Guides = ({ guides }: { guides: readonly Guide[] }) =>
  guides.map(({ id, title }) => (
    <li key={id}>
      <a href={`#${id}`} className={`${link} font-medium`}>
        {title}
      </a>
    </li>
  ));

const OperationLink = ({ id, title, method = '' }: Pick<Entry, 'id' | 'title' | 'method'>) => (
  <a href={`#${id}`} className={`${link} grid grid-cols-[3.25rem_1fr] items-baseline`}>
    <Method method={method} /> {title}
  </a>
);

function Results({ found }: { found: readonly Entry[] }) {
  return (
    <>
      <output className="mt-3 block text-ink-3">
        {found.length === 0 ? 'Nothing was found.' : `${found.length} found`}
      </output>
      <ul className="mt-1">
        {found.map((entry) => (
          <li key={entry.id}>
            {entry.method === undefined ? (
              <a href={`#${entry.id}`} className={link}>
                {entry.title}
              </a>
            ) : (
              <OperationLink {...entry} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The entries that contain every word, those with the words in their title first. */
function find(words: readonly string[], guides: readonly Guide[]): Entry[] {
  const entries: Entry[] = [
    ...guides.map(({ id, title, text }) => ({ id, title, words: text.flat().join(' ') })),
    ...reference.groups.flatMap(({ operations }) => operations.map(entryOf)),
    ...reference.shapes.map(({ name, fields, text }) => ({
      id: `shape-${name}`,
      title: name,
      words: `${text} ${fields.map((field) => `${field.name} ${field.text}`).join(' ')}`,
    })),
  ];
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const found = entries.filter(({ title, words: text }) => holds(`${title} ${text}`));
  return [
    ...found.filter(({ title }) => holds(title)),
    ...found.filter(({ title }) => !holds(title)),
  ];
}

const entryOf = ({ id, summary, method, path, text, query, body }: OperationText): Entry => ({
  id,
  title: summary,
  method,
  words: [
    method,
    path,
    text,
    ...[...query, ...body].map((field) => `${field.name} ${field.text}`),
  ].join(' '),
});

import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { reference } from 'virtual:api-reference';
import { Input } from '#web/ui/input.tsx';
import { Method } from './operation.tsx';
import type { Guide } from './guides.ts';
import { searchDocs, wordsOf, type DocsEntry } from './search-docs.ts';
import { useCurrentSection } from './use-current-section.ts';

export const anchorOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

type Part = { id: string; title: string; operations: readonly Omit<DocsEntry, 'words'>[] };

/** The parts of the page in its order. */
const partsOf = (before: readonly Guide[], after: readonly Guide[]): Part[] => [
  ...before.map(({ id, title }) => ({ id, title, operations: [] })),
  ...reference.groups.map(({ name, operations }) => ({
    id: anchorOf(name),
    title: name,
    operations: operations.map(({ id, summary, method }) => ({ id, title: summary, method })),
  })),
  { id: 'events', title: 'Events', operations: [] },
  { id: 'schemas', title: 'Schemas', operations: [] },
  ...after.map(({ id, title }) => ({ id, title, operations: [] })),
];

const linkClass =
  'block border-s-2 border-transparent py-1 ps-3 text-ink-2 hover:text-ink aria-[current]:border-ink aria-[current]:text-ink forced-colors:border-[Canvas] forced-colors:aria-[current]:border-[Highlight] pointer-coarse:py-2.5';

type Props = { before: readonly Guide[]; after: readonly Guide[] };

/** The table of contents. It marks the section that the reader is in. */
export function Contents({ before, after, className }: Props & { className: string }) {
  const parts = partsOf(before, after);
  const current = useCurrentSection(idsOf(parts));
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (nav.current !== null) reveal(nav.current, current);
  }, [current]);
  return (
    <nav ref={nav} aria-label="On this page" className={`text-13 ${className}`}>
      <SearchOr guides={[...before, ...after]}>
        <PartList parts={parts} current={current} />
      </SearchOr>
    </nav>
  );
}

/** The table of contents of narrow windows: a menu that stays at the top. */
export function ContentsMenu({ before, after }: Props) {
  const parts = partsOf(before, after);
  const current = useCurrentSection(idsOf(parts));
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => (menu.current === null ? undefined : actAsMenu(menu.current)), []);
  const entries = parts.flatMap((part) => [part, ...part.operations]);
  return (
    <details
      ref={menu}
      className="group sticky top-16 z-30 mb-8 rounded-lg border border-line bg-raised text-14 shadow-float lg:hidden print:hidden"
    >
      <summary className="flex h-11 items-center gap-2 rounded-lg px-4 text-ink">
        <span className="text-ink-3">On this page</span>
        <span className="min-w-0 flex-1 truncate font-medium">
          {entries.find(({ id }) => id === current)?.title}
        </span>
        <ChevronDown className="size-4 shrink-0 text-ink-3 group-open:rotate-180" />
      </summary>
      <nav
        aria-label="On this page"
        className="max-h-[60dvh] overflow-y-auto overscroll-contain px-4 pt-1 pb-3"
      >
        <SearchOr guides={[...before, ...after]}>
          <PartList parts={parts} current={current} />
        </SearchOr>
      </nav>
    </details>
  );
}

/** Shows the current entry when `menu` opens. Closes it by Escape, and when a link is followed. */
function actAsMenu(menu: HTMLDetailsElement): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  menu.addEventListener(
    'toggle',
    () => {
      const list = menu.querySelector('nav');
      const id = list?.querySelector('[aria-current]')?.getAttribute('href')?.slice(1);
      if (list !== null && id !== undefined) reveal(list, id);
    },
    { signal },
  );
  menu.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('a') !== null) menu.open = false;
    },
    { signal },
  );
  menu.addEventListener(
    'keydown',
    ({ key }) => {
      if (key !== 'Escape' || !menu.open) return;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    },
    { signal },
  );
  return () => listeners.abort();
}

const idsOf = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ id, operations }) => [id, ...operations.map((operation) => operation.id)]);

/** Scrolls `list`, but not the page, until the entry of the section `id` is visible. */
function reveal(list: HTMLElement, id: string): void {
  const entry = list.querySelector(`a[href="#${id}"]`);
  if (entry === null) return;
  const [box, frame] = [entry.getBoundingClientRect(), list.getBoundingClientRect()];
  if (box.top >= frame.top && box.bottom <= frame.bottom) return;
  list.scrollTop += box.top - frame.top - frame.height / 3;
}

/**
 * Shows `children`, or what a search in everything that the page says has found. Enter opens the
 * first section that was found.
 */
function SearchOr({ guides, children }: { guides: readonly Guide[]; children: ReactNode }) {
  const [search, setSearch] = useState('');
  const words = wordsOf(search);
  const results = useRef<HTMLDivElement>(null);
  return (
    <>
      <Input
        type="search"
        aria-label="Search the documentation"
        placeholder="Search"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') results.current?.querySelector('a')?.click();
        }}
      />
      {words.length === 0 ? (
        children
      ) : (
        <div ref={results}>
          <Results found={searchDocs(words, guides)} />
        </div>
      )}
    </>
  );
}

const PartList = ({ parts, current }: { parts: readonly Part[]; current: string }) => (
  <ul className="mt-3">
    {parts.map(({ operations, ...part }) => (
      <li key={part.id} className={operations.length > 0 ? 'mt-3' : ''}>
        <EntryLink {...part} isCurrent={part.id === current} isPart />
        {operations.length > 0 && (
          <ul>
            {operations.map((operation) => (
              <li key={operation.id}>
                <EntryLink {...operation} isCurrent={operation.id === current} />
              </li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
);

function EntryLink({
  id,
  title,
  method,
  isCurrent = false,
  isPart = false,
}: Omit<DocsEntry, 'words'> & { isCurrent?: boolean; isPart?: boolean }) {
  const layout =
    method === undefined ? '' : 'grid grid-cols-[3.25rem_minmax(0,1fr)] items-baseline';
  return (
    <a
      href={`#${id}`}
      aria-current={isCurrent ? 'location' : undefined}
      className={`${linkClass} ${layout} ${isPart ? 'font-medium' : ''}`}
    >
      {method !== undefined && <Method method={method} />} {title}
    </a>
  );
}

function Results({ found }: { found: readonly DocsEntry[] }) {
  return (
    <>
      <output className="mt-3 block text-ink-3">
        {found.length === 0 ? 'Nothing was found.' : `${found.length} found`}
      </output>
      <ul className="mt-1">
        {found.map((entry) => (
          <li key={entry.id}>
            <EntryLink id={entry.id} title={entry.title} method={entry.method} />
          </li>
        ))}
      </ul>
    </>
  );
}

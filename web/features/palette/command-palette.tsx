import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Link2, Search } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import type { ListedLink } from '#contract/links/links.ts';
import { SEARCH_MAX } from '#contract/limits.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { shownCode } from '#web/shared/links/shown-code.ts';
import { matchesSearch, type PaletteCommand } from './palette-command.ts';
import { linkCommands } from './link-commands.ts';
import { useFoundLinks, type FoundLinks } from './use-found-links.ts';

type Item = { id: string; link: ListedLink } | { id: string; command: PaletteCommand };
type Group = { label: string; items: Item[] };

/**
 * A search over the member's links and everything that keys can do. Choosing a link shows what can
 * be done with it.
 */
export function CommandPalette({
  commands,
  onOpen,
  onClose,
}: {
  commands: readonly PaletteCommand[];
  /** Navigates to a path of the application. */
  onOpen: (path: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ListedLink | null>(null);
  const search = text.trim();
  const found = useFoundLinks(chosen === null ? search : '');
  const groups =
    chosen === null
      ? groupsOf(commands, found, search)
      : [groupOf(nameOf(chosen), linkCommands(chosen, onOpen), search)];
  const choose = (item: Item): void => {
    if ('link' in item) {
      setChosen(item.link);
      setText('');
      return;
    }
    onClose();
    item.command.run();
  };
  const goBack = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && text === '') setChosen(null);
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop data-dialog-backdrop="" className="fixed inset-0 z-50 bg-scrim" />
        <Dialog.Popup
          aria-label="Command palette"
          className="fixed inset-x-3 top-3 z-50 mx-auto flex max-h-[min(30rem,calc(100dvh-1.5rem))] max-w-reading animate-appear flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float outline-none sm:top-[12vh]"
        >
          <Autocomplete.Root
            inline
            open
            mode="none"
            autoHighlight="always"
            items={groups}
            value={text}
            itemToStringValue={labelOf}
            onValueChange={(value, { reason }) => reason === 'input-change' && setText(value)}
          >
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-ink-3" />
              <Autocomplete.Input
                aria-label={chosen === null ? 'Search links and commands' : nameOf(chosen)}
                placeholder={
                  chosen === null ? 'Search links and commands' : `${nameOf(chosen)}: choose`
                }
                maxLength={SEARCH_MAX}
                spellCheck={false}
                onKeyDown={goBack}
                className="h-12 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-ink-3"
              />
              <Dialog.Close className="rounded-sm border border-line px-1.5 py-0.5 text-12 text-ink-3 hover:bg-hover">
                Esc
              </Dialog.Close>
            </div>
            <Autocomplete.List className="min-h-0 flex-1 overflow-y-auto p-2 empty:hidden">
              {(group: Group) => (
                <Autocomplete.Group key={group.label} items={group.items} className="pb-1">
                  <Autocomplete.GroupLabel className="px-2 py-1.5 text-12 text-ink-3">
                    {group.label}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Item) => (
                      <Autocomplete.Item
                        key={item.id}
                        value={item}
                        onClick={() => choose(item)}
                        className="flex min-h-10 cursor-default items-center gap-3 rounded-md px-2 py-1.5 text-14 outline-none data-highlighted:bg-hover forced-colors:data-highlighted:outline-2 pointer-coarse:min-h-11"
                      >
                        <ItemText item={item} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <output className="block px-4 py-3 text-13 text-ink-3 empty:hidden">
              {describe(found, groups)}
            </output>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ItemText({ item }: { item: Item }) {
  if ('command' in item) {
    const { icon: Icon, label, shortcut } = item.command;
    return (
      <>
        <Icon className="size-4 shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {shortcut !== undefined && (
          <kbd className="rounded-sm border border-line px-1.5 font-mono text-12 text-ink-3">
            {shortcut}
          </kbd>
        )}
      </>
    );
  }
  const { link } = item;
  return (
    <>
      <Link2 className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <bdi dir="ltr" className="font-mono font-medium">
            {codeShownOf(link)}
          </bdi>
          {link.title !== '' && (
            <span dir="auto" className="ms-2 text-ink-2">
              {link.title}
            </span>
          )}
        </span>
        <bdi dir="ltr" className="block truncate text-13 text-ink-3">
          {readableUrl(link.long_url)}
        </bdi>
      </span>
    </>
  );
}

const codeShownOf = (link: ListedLink): string => shownCode(link.short_code, link.short_url);
const nameOf = (link: ListedLink): string => (link.title === '' ? codeShownOf(link) : link.title);
const labelOf = (item: Item): string =>
  'link' in item ? codeShownOf(item.link) : item.command.label;

function groupsOf(
  commands: readonly PaletteCommand[],
  { links }: FoundLinks,
  search: string,
): Group[] {
  const found: Group = {
    label: search === '' ? 'Newest links' : 'Links',
    items: links.map((link) => ({ id: `link ${link.short_code}`, link })),
  };
  const matching = groupOf('Commands', commands, search);
  // Without a search, commands come first, because a person who wants a link types its name.
  const groups = search === '' ? [matching, found] : [found, matching];
  return groups.filter(({ items }) => items.length > 0);
}

const groupOf = (label: string, commands: readonly PaletteCommand[], search: string): Group => ({
  label,
  items: commands
    .filter((command) => matchesSearch(command, search))
    .map((command) => ({ id: `command ${command.id}`, command })),
});

function describe({ isSearching, error }: FoundLinks, groups: readonly Group[]): string {
  if (error !== '') return `Your links could not be searched. ${error}`;
  if (groups.some(({ items }) => items.length > 0)) return '';
  return isSearching
    ? 'Searching…'
    : 'Nothing found. Links are found by code, title, destination, note and tag.';
}

import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { SEARCH_MAX } from '#contract/limits.ts';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

/** How many ms without typing pass before the search runs. */
const DEBOUNCE_MS = 250;

/**
 * A search field. `search` is the current search; `onSearch` receives the trimmed text once typing
 * pauses.
 */
export function SearchBox({
  label,
  search,
  onSearch,
}: {
  /** Also the placeholder, because only screen readers get the label. */
  label: string;
  search: string;
  onSearch: (search: string) => void;
}) {
  const [text, setText] = useState(search);
  const [shown, setShown] = useState(search);
  // The search changed elsewhere (the Back button, "Clear search"), so the field shows it.
  if (shown !== search) {
    setShown(search);
    setText(search);
  }
  const input = useRef<HTMLInputElement>(null);
  // React does not know a text typed before the code loaded (web/app/keep-focus.ts).
  useEffect(() => {
    setText((current) => input.current?.value ?? current);
  }, []);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === search) return;
    const timer = setTimeout(() => onSearch(wanted), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  return (
    <Field label={label} hideLabel>
      {(control) => (
        <div className="relative">
          <Search className="pointer-events-none absolute top-1/2 inset-s-3 size-4 -translate-y-1/2 text-ink-3" />
          <Input
            {...control}
            ref={input}
            type="search"
            className="ps-9 text-ellipsis"
            placeholder={label}
            maxLength={SEARCH_MAX}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
    </Field>
  );
}

import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { SEARCH_MAX } from '#contract/limits.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

const PAUSE = 250;

/** A search field that tells what was typed once the typing pauses. */
export function SearchBox({ label, onSearch }: { label: string; onSearch: (q: string) => void }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <Field label={label} hideLabel>
      {(control) => (
        <div className="relative max-w-form">
          <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3" aria-hidden="true" />
          <Input
            {...control}
            type="search"
            className="pl-9!"
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

import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { TAG_NAME_MAX, TAGS_PER_LINK_MAX } from '#contract/limits.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { useTags } from './queries.ts';

/** Edits a list of tag names, with suggestions. Enter or a comma adds a name. */
export function TagField({
  label,
  names,
  error,
  onChange,
}: {
  label: string;
  names: readonly string[];
  error: string | undefined;
  onChange: (names: string[]) => void;
}) {
  const list = useId();
  const tags = useTags();
  const [text, setText] = useState('');
  const isChosen = (name: string): boolean =>
    names.some((other) => other.toLowerCase() === name.toLowerCase());
  const add = (value: string): void => {
    const name = value.replaceAll(',', ' ').replaceAll(/\s+/g, ' ').trim();
    setText('');
    if (name !== '' && !isChosen(name)) onChange([...names, name]);
  };
  return (
    <Field
      label={label}
      error={error}
      hint={
        names.length >= TAGS_PER_LINK_MAX
          ? `A link can have at most ${TAGS_PER_LINK_MAX} tags.`
          : 'Press Enter after each tag.'
      }
    >
      {(control) => (
        <>
          {/* The form sees by this field whether the chosen tags have changed. */}
          <input type="hidden" value={names.join(',')} />
          {names.length > 0 && <ChosenTags names={names} onChange={onChange} />}
          <Input
            {...control}
            list={list}
            value={text}
            maxLength={TAG_NAME_MAX}
            autoComplete="off"
            disabled={names.length >= TAGS_PER_LINK_MAX}
            onChange={(event) =>
              event.target.value.endsWith(',')
                ? add(event.target.value)
                : setText(event.target.value)
            }
            onBlur={() => add(text)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text.trim() === '') return;
              event.preventDefault();
              add(text);
            }}
          />
          <datalist id={list}>
            {tags.data
              ?.filter(({ name }) => !isChosen(name))
              .map(({ id, name }) => (
                <option key={id} value={name}>
                  {name}
                </option>
              ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function ChosenTags({
  names,
  onChange,
}: {
  names: readonly string[];
  onChange: (names: string[]) => void;
}) {
  return (
    <ul className="mb-2 flex flex-wrap gap-1.5">
      {names.map((name) => (
        <li
          key={name}
          className="inline-flex h-7 items-center rounded-full border border-line bg-hover ps-2.5 text-13 pointer-coarse:h-11"
        >
          <span className="max-w-48 truncate">{name}</span>
          <button
            type="button"
            aria-label={`Remove the tag ${name}`}
            className="inline-flex size-7 items-center justify-center rounded-full text-ink-3 hover:text-ink pointer-coarse:size-11"
            onClick={() => onChange(names.filter((other) => other !== name))}
          >
            <X className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}

import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { limitMessage } from '#contract/limit-message.ts';
import { TAG_NAME_MAX, TAGS_PER_LINK_MAX } from '#contract/limits.ts';
import type { TagsResponse } from '#contract/links/tags.ts';
import { Field } from '#web/ui/field.tsx';
import { controlClass } from '#web/ui/input.tsx';
import { api } from '#web/shared/api/api.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';

const TOO_MANY = limitMessage('A link', TAGS_PER_LINK_MAX, 'tag');
const TOO_LONG = limitMessage('The name of a tag', TAG_NAME_MAX);

const toName = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * Edits a list of tag names, with the member's tags as suggestions. A comma, Enter, or leaving the
 * field adds what was typed. Names that cannot be added stay in the field.
 */
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
  const tags = useAsyncAction(() => api<TagsResponse>('/api/tags'));
  const [text, setText] = useState('');
  const unchosen = (tags.data?.tags ?? []).filter(
    ({ name }) => !names.some((chosen) => isSame(chosen, name)),
  );
  /** Adds the names that a comma ends, or all of them. */
  const add = (typed: string, all: boolean): void => {
    const ended = typed.split(',');
    const last = all ? '' : (ended.pop() ?? '').trimStart();
    const next = [...names];
    const rest: string[] = [];
    for (const name of ended.map(toName)) {
      if (name === '' || next.some((other) => isSame(other, name))) continue;
      if (name.length > TAG_NAME_MAX || next.length >= TAGS_PER_LINK_MAX) rest.push(name);
      else next.push(name);
    }
    setText([...rest, ...(last === '' ? [] : [last])].join(', '));
    if (next.length > names.length) onChange(next);
  };
  const isFull = names.length >= TAGS_PER_LINK_MAX;
  const invalid = text.split(',').some((name) => toName(name).length > TAG_NAME_MAX)
    ? TOO_LONG
    : isFull && text !== ''
      ? TOO_MANY
      : undefined;
  return (
    <Field
      label={label}
      error={invalid ?? error}
      hint={isFull && text === '' ? TOO_MANY : 'Separate tags with commas.'}
    >
      {(control) => (
        <div className="flex flex-wrap gap-1 rounded-md border border-line-strong bg-control p-[3px] transition-colors duration-150 hover:border-ink-3 has-aria-invalid:border-bad has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent">
          {/* Shows by its value whether the chosen tags have changed. */}
          <input type="hidden" value={names.join(',')} />
          {names.length > 0 && <ChosenTags names={names} onChange={onChange} />}
          <input
            {...control}
            className={`${controlClass} h-7 w-auto! flex-1 basis-32 border-0! bg-transparent! px-2! outline-none! pointer-coarse:h-9`}
            list={list}
            value={text}
            autoComplete="off"
            autoCapitalize="none"
            disabled={isFull && text === ''}
            onFocus={() => tags.data === null && tags.run(undefined)}
            onChange={({ target: { value }, nativeEvent }) => {
              const isSuggestion =
                'inputType' in nativeEvent &&
                nativeEvent.inputType === 'insertReplacementText' &&
                unchosen.some(({ name }) => name === value);
              add(value, isSuggestion);
            }}
            onBlur={() => add(text, true)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || text.trim() === '') return;
              event.preventDefault();
              add(text, true);
            }}
          />
          <datalist id={list}>
            {unchosen.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </div>
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
    <ul className="flex max-w-full flex-wrap gap-1">
      {names.map((name) => (
        <li
          key={name}
          className="inline-flex h-7 max-w-full items-center rounded-sm border border-line bg-hover ps-2 text-13 pointer-coarse:h-9"
        >
          <span className="max-w-48 truncate">{name}</span>
          <button
            type="button"
            aria-label={`Remove the tag ${name}`}
            className="inline-flex size-7 items-center justify-center rounded-sm text-ink-3 hover:text-ink pointer-coarse:size-9"
            onClick={() => onChange(names.filter((other) => other !== name))}
          >
            <X className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}

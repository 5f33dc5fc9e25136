import { X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { MY_LINKS_STATUSES } from '#contract/links/my-links.ts';
import { domainChoices, domainInAddress } from '#web/shared/link-settings/domain-choices.ts';
import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { useTagNames } from '#web/shared/link-settings/use-tags.ts';
import { VERBATIM } from '#web/ui/input.tsx';
import {
  HEALTH_LABELS,
  KINDS,
  STATUS_LABELS,
  type FilterKind,
  type FilterName,
  type ListFilterState,
} from './link-filters.ts';

type ControlProps = { list: ListFilterState; focuses: boolean };

const CONTROLS: Readonly<Record<FilterKind, (props: ControlProps) => ReactNode>> = {
  tag: TagSelect,
  status: (props) => (
    <ChipSelect
      {...props}
      name="status"
      label="Status"
      choices={MY_LINKS_STATUSES.map((status) => [status, STATUS_LABELS[status]])}
    />
  ),
  favorite: () => null,
  host: (props) => (
    <ChipInput {...props} name="host" label="Host of the destination" type="text" size={16} />
  ),
  domain: DomainSelect,
  health: (props) => (
    <ChipSelect
      {...props}
      name="health"
      label="Destination check"
      choices={Object.entries(HEALTH_LABELS)}
    />
  ),
  created: (props) => (
    <>
      <ChipInput {...props} name="from" label="Created from" type="date" />
      <span className="text-ink-3">to</span>
      <ChipInput {...props} focuses={false} name="to" label="Created until" type="date" />
    </>
  ),
  clicks: (props) => (
    <>
      <ChipInput {...props} name="min_clicks" label="Clicks, at least" type="number" />
      <span className="text-ink-3">to</span>
      <ChipInput
        {...props}
        focuses={false}
        name="max_clicks"
        label="Clicks, at most"
        type="number"
      />
    </>
  ),
  import: () => null,
};

type ChipsProps = {
  list: ListFilterState;
  kinds: readonly FilterKind[];
  /** The filter that was just chosen from the menu. Its control gets the focus. */
  added: FilterKind | null;
  onRemove: (kind: FilterKind) => void;
};

/** A chip for each filter of the list, with its value to change and a button that removes it. */
export function FilterChips({ list, kinds, added, onRemove }: ChipsProps) {
  return (
    <ul aria-label="Filters" className="contents">
      {kinds.map((kind) => {
        const Control = CONTROLS[kind];
        return (
          <li
            key={kind}
            className="inline-flex min-h-8 max-w-full min-w-0 items-center rounded-full border max-sm:flex-wrap max-sm:rounded-lg border-line-strong bg-control ps-3 text-13 pointer-coarse:min-h-11"
          >
            <span className="shrink-0 text-ink-2">{KINDS[kind].label}</span>
            <Control list={list} focuses={added === kind} />
            <button
              type="button"
              aria-label={`Remove filter ${KINDS[kind].label}`}
              className="inline-flex size-8 shrink-0 items-center justify-center rounded-full text-ink-3 hover:bg-hover hover:text-ink pointer-coarse:size-11"
              onClick={() => onRemove(kind)}
            >
              <X className="size-3.5" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const PLACEHOLDERS = { text: 'example.com', number: 'any', date: undefined } as const;

const controlClass =
  'min-w-0 h-7.5 pointer-coarse:h-10.5 rounded-sm bg-transparent px-1.5 font-medium text-16 text-ink sm:text-13 -outline-offset-2';

/** Focuses the control of a filter that was just added, after the menu has given up the focus. */
function useFocusOnce<Control extends HTMLElement>(focuses: boolean) {
  const control = useRef<Control>(null);
  useEffect(() => {
    if (!focuses) return;
    const timer = setTimeout(() => control.current?.focus());
    return () => clearTimeout(timer);
  }, [focuses]);
  return control;
}

function TagSelect(props: ControlProps) {
  const names = useTagNames();
  const current = props.list.filters.tag;
  // The tag in the URL may be deleted, or the tags may not have loaded yet.
  if (current !== undefined && !names.includes(current)) names.unshift(current);
  return (
    <ChipSelect {...props} name="tag" label="Tag" choices={names.map((name) => [name, name])} />
  );
}

function DomainSelect(props: ControlProps) {
  const names = domainChoices(useDomainList()).map(
    ([name, shown]) => [domainInAddress(name), shown] as const,
  );
  const current = props.list.filters.domain;
  // The domains may not have loaded yet, and links stay on one that cannot be used anymore.
  const known = current === undefined || names.some(([name]) => name === current);
  return (
    <ChipSelect
      {...props}
      name="domain"
      label="Domain"
      choices={known ? names : [[current, current], ...names]}
    />
  );
}

function ChipSelect({
  list: { filters, set },
  focuses,
  name,
  label,
  choices,
}: ControlProps & {
  name: FilterName;
  label: string;
  choices: readonly (readonly [string, string])[];
}) {
  const control = useFocusOnce<HTMLSelectElement>(focuses);
  const value = filters[name] ?? '';
  return (
    <select
      ref={control}
      aria-label={label}
      value={value}
      className={`${controlClass} max-w-48 field-sizing-content cursor-pointer truncate`}
      onChange={(event) => set({ [name]: event.target.value })}
    >
      {value === '' && <option value="">Choose…</option>}
      {choices.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** An input that changes its filter on Enter and when it loses focus; a date changes it at once. */
function ChipInput({
  list: { filters, set },
  focuses,
  name,
  label,
  type,
  size,
}: ControlProps & {
  name: FilterName;
  label: string;
  type: 'text' | 'date' | 'number';
  size?: number;
}) {
  const control = useFocusOnce<HTMLInputElement>(focuses);
  const value = filters[name] ?? '';
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  // The filter changed elsewhere: the Back button, a view.
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  const done = (): void => {
    if (text.trim() !== value) set({ [name]: text.trim().toLowerCase() });
  };
  return (
    <input
      ref={control}
      aria-label={label}
      type={type}
      size={size}
      min={0}
      maxLength={100}
      {...VERBATIM}
      placeholder={PLACEHOLDERS[type]}
      className={`${controlClass} ${type === 'number' ? 'w-20' : ''}`}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        if (type === 'date') set({ [name]: event.target.value });
      }}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  );
}

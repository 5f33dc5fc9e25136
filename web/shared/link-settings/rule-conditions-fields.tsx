import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { CONTINENT_NAMES, DEVICE_NAMES } from '#contract/links/describe-rule.ts';
import { languageName, listAny, regionName } from '#contract/language.ts';
import { CONTINENTS, DEVICES, type RuleConditions } from '#contract/links/rule-conditions.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxGroup } from '#web/ui/checkbox.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { newWindow, TimeWindowFields } from './time-window-fields.tsx';

type Name = keyof RuleConditions;

const NAMES: Readonly<Record<Name, string>> = {
  device: 'Device',
  country: 'Country',
  continent: 'Continent',
  language: 'Language',
  query: 'Query parameter',
  time: 'Time',
};
const ORDER = Object.keys(NAMES).filter((name): name is Name => name in NAMES);

/** What a condition starts with when it is added. */
const newConditions = (): Required<RuleConditions> => ({
  device: ['ios'],
  country: [],
  continent: ['EU'],
  language: [],
  query: [],
  time: [newWindow()],
});

/** Edits the conditions of a rule, all of which must hold. */
export function RuleConditionsFields({
  conditions,
  errorAt,
  onConditions,
}: {
  conditions: RuleConditions;
  errorAt: (condition: Name) => string | undefined;
  onConditions: (conditions: RuleConditions) => void;
}) {
  /** What to focus once it has rendered. */
  const next = useRef<Name | 'add' | null>(null);
  const focusIf = (name: Name | 'add', selector: string) => (element: HTMLElement | null) => {
    if (element === null || next.current !== name) return;
    next.current = null;
    element.querySelector<HTMLElement>(selector)?.focus();
  };
  const used = ORDER.filter((name) => conditions[name] !== undefined);
  const unused = ORDER.filter((name) => !used.includes(name));
  const set = (change: RuleConditions): void => onConditions({ ...conditions, ...change });
  const add = (name: Name): void => {
    next.current = name;
    set({ [name]: newConditions()[name] });
  };
  const without = (name: Name): void => {
    next.current = 'add';
    onConditions(
      Object.fromEntries(Object.entries(conditions).filter(([other]) => other !== name)),
    );
  };
  return (
    <>
      {used.map((name) => (
        <div key={name} ref={focusIf(name, 'input')} className="relative">
          <Condition name={name} conditions={conditions} error={errorAt(name)} onChange={set} />
          {used.length > 1 && (
            <Button
              size="sm"
              variant="ghost"
              className="absolute -inset-e-1 -top-1.5 w-8 px-0! pointer-coarse:-top-4 pointer-coarse:w-11"
              aria-label={`Remove the condition “${NAMES[name]}”`}
              onClick={() => without(name)}
            >
              <X className="size-4" />
            </Button>
          )}
        </div>
      ))}
      {unused.length > 0 && (
        <fieldset ref={focusIf('add', 'button')} className="min-w-0">
          <legend className="mb-1.5 text-13 font-medium text-ink">Add a condition</legend>
          <div className="flex flex-wrap gap-1.5">
            {unused.map((name) => (
              <Button key={name} size="sm" onClick={() => add(name)}>
                <Plus className="size-4" />
                {NAMES[name]}
              </Button>
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
}

function Condition({
  name,
  conditions,
  error,
  onChange,
}: {
  name: Name;
  conditions: RuleConditions;
  error: string | undefined;
  onChange: (change: RuleConditions) => void;
}) {
  const { device = [], country = [], continent = [], language = [], query = [] } = conditions;
  switch (name) {
    case 'device':
      return (
        <CheckboxGroup
          inline
          legend={NAMES.device}
          choices={DEVICES.map((value) => ({ value, label: DEVICE_NAMES[value] }))}
          chosen={device}
          error={error}
          onChange={(chosen) => onChange({ device: chosen })}
        />
      );
    case 'continent':
      return (
        <CheckboxGroup
          inline
          legend={NAMES.continent}
          choices={CONTINENTS.map((value) => ({ value, label: CONTINENT_NAMES[value] }))}
          chosen={continent}
          error={error}
          onChange={(chosen) => onChange({ continent: chosen })}
        />
      );
    case 'country':
      return (
        <ListField
          label={NAMES.country}
          hint="Codes of countries, such as BR, PT."
          error={error}
          values={country}
          nameOf={(code) => (/^[A-Z]{2}$/.test(code) ? regionName(code) : code)}
          read={(text) => text.toUpperCase()}
          onValues={(values) => onChange({ country: values })}
        />
      );
    case 'language':
      return (
        <ListField
          label={NAMES.language}
          hint="Codes of languages, such as pt or pt-BR: the one that the browser prefers most."
          error={error}
          values={language}
          nameOf={(tag) => (/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/.test(tag) ? languageName(tag) : tag)}
          read={(text) => text.toLowerCase()}
          onValues={(values) => onChange({ language: values })}
        />
      );
    case 'query':
      return (
        <ListField
          label={NAMES.query}
          hint="Such as ref=mail, or only ref for any value."
          error={error}
          values={query}
          nameOf={(text) => text}
          read={(text) => text}
          onValues={(values) => onChange({ query: values })}
        />
      );
    case 'time':
      return (
        <TimeWindowFields
          windows={conditions.time ?? []}
          error={error}
          onWindows={(time) => onChange({ time })}
        />
      );
  }
}

/** A list of values in one field, separated by commas. The hint says what they mean. */
function ListField({
  label,
  hint,
  error,
  values,
  nameOf,
  read,
  onValues,
}: {
  label: string;
  hint: string;
  error: string | undefined;
  values: readonly string[];
  nameOf: (value: string) => string;
  read: (text: string) => string;
  onValues: (values: string[]) => void;
}) {
  const [text, setText] = useState(values.join(', '));
  const names = values.map(nameOf);
  const isTranslated = names.some((name, at) => name !== values[at]);
  return (
    <TextField
      {...VERBATIM}
      label={label}
      hint={isTranslated ? `${listAny(names)}.` : hint}
      error={error}
      value={text}
      onText={(typed) => {
        setText(typed);
        const parts = typed.split(',').map((part) => read(part.trim()));
        onValues([...new Set(parts.filter((part) => part !== ''))]);
      }}
    />
  );
}

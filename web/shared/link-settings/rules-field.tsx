import { ArrowDown, ArrowUp, ChevronDown, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { describeConditions } from '#contract/links/describe-rule.ts';
import { RULES_MAX } from '#contract/limits.ts';
import type { LinkRule } from '#contract/links/rule-conditions.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { SettingErrorAt } from './link-settings.ts';
import { RuleConditionsFields } from './rule-conditions-fields.tsx';

type RulesFieldProps = {
  rules: LinkRule[];
  error: string | undefined;
  errorAt: SettingErrorAt;
  onRules: (rules: LinkRule[]) => void;
};

const NEW_RULE: LinkRule = { if: { device: ['ios'] }, to: '' };

/**
 * Edits the ordered rules of a link. Each rule keeps its identity while it moves, so that the focus
 * stays on the button that moved it. A rule is one sentence until it is opened; a new one and one
 * with an error are open.
 */
export function RulesField({ rules, error, errorAt, onRules }: RulesFieldProps) {
  const next = useRef(rules.length);
  const added = useRef<number | null>(null);
  const [ids, setIds] = useState(() => rules.map((_, at) => at));
  const [opened, setOpened] = useState<readonly number[]>([]);
  const list = useRef<HTMLOListElement>(null);
  const update = (changed: LinkRule[], order: number[]): void => {
    setIds(order);
    onRules(changed);
  };
  const add = (): void => {
    const id = next.current++;
    added.current = id;
    setOpened([...opened, id]);
    update([...rules, NEW_RULE], [...ids, id]);
    announce(`Rule ${rules.length + 1} added.`);
  };
  const move = (at: number, to: number): void => {
    if (to < 0 || to >= rules.length) return;
    update(swap(rules, at, to), swap(ids, at, to));
    announce(`Rule ${at + 1} is now rule ${to + 1}.`);
  };
  const remove = (at: number): void => {
    // From the largest number on, the button to add one appears with the change.
    flushSync(() => update(rules.toSpliced(at, 1), ids.toSpliced(at, 1)));
    announce(`Rule ${at + 1} removed.`);
    list.current?.parentElement?.querySelector<HTMLElement>('[data-add-rule]')?.focus();
  };
  const isAtRule = rules.some((_, at) => errorAt?.(`rules.${at}`) !== undefined);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium text-ink">Rules</legend>
      <p className="mb-3 text-13 text-ink-3">
        Send some visitors elsewhere. The first rule that matches decides; everybody else, and cards
        in chats, get the link’s own destination.
      </p>
      <ol ref={list} className="space-y-3 empty:hidden">
        {rules.map((rule, at) => {
          const id = ids[at] ?? at;
          return (
            <li
              key={id}
              ref={(item) => {
                if (item === null || added.current !== id) return;
                added.current = null;
                item.querySelector('input')?.focus();
              }}
              className="rounded-md border border-line p-3"
            >
              <Rule
                rule={rule}
                at={at}
                count={rules.length}
                isOpen={opened.includes(id)}
                errorAt={errorAt}
                onRule={(changed) => onRules(rules.with(at, changed))}
                onToggle={(open) =>
                  setOpened(open ? [...opened, id] : opened.filter((other) => other !== id))
                }
                onMove={(to) => move(at, to)}
                onRemove={() => remove(at)}
              />
            </li>
          );
        })}
      </ol>
      <ErrorText className="mt-2">{isAtRule ? undefined : error}</ErrorText>
      {rules.length < RULES_MAX && (
        <Button data-add-rule size="sm" className="mt-3" onClick={add}>
          <Plus className="size-4" />
          Add rule
        </Button>
      )}
    </fieldset>
  );
}

function Rule({
  rule,
  at,
  count,
  isOpen: wanted,
  errorAt,
  onRule,
  onToggle,
  onMove,
  onRemove,
}: {
  rule: LinkRule;
  /** Its index among `count` rules. */
  at: number;
  count: number;
  isOpen: boolean;
  errorAt: SettingErrorAt;
  onRule: (rule: LinkRule) => void;
  onToggle: (open: boolean) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}) {
  const name = `rule ${at + 1}`;
  const open = wanted || errorAt?.(`rules.${at}`) !== undefined;
  return (
    <>
      <div className="flex items-center gap-1">
        <h3 className="me-auto text-14 font-medium text-ink">Rule {at + 1}</h3>
        <Button
          {...SMALL}
          aria-label={`Move ${name} up`}
          aria-disabled={at === 0}
          onClick={() => onMove(at - 1)}
        >
          <ArrowUp className="size-4" />
        </Button>
        <Button
          {...SMALL}
          aria-label={`Move ${name} down`}
          aria-disabled={at === count - 1}
          onClick={() => onMove(at + 1)}
        >
          <ArrowDown className="size-4" />
        </Button>
        <Button {...SMALL} aria-label={`Remove ${name}`} onClick={onRemove}>
          <Trash2 className="size-4" />
        </Button>
        <Button
          {...SMALL}
          aria-label={`Edit ${name}`}
          aria-expanded={open}
          onClick={() => onToggle(!open)}
        >
          <ChevronDown
            className={`size-4 transition-transform duration-150 ${open ? 'rotate-180' : ''}`}
          />
        </Button>
      </div>
      {open ? (
        <div className="mt-3 space-y-4">
          <RuleConditionsFields
            conditions={rule.if}
            errorAt={(condition) => errorAt?.(`rules.${at}.if.${condition}`)}
            onConditions={(conditions) => onRule({ ...rule, if: conditions })}
          />
          <TextField
            {...VERBATIM}
            label="Leads to"
            placeholder="https://example.com/elsewhere"
            dir="ltr"
            inputMode="url"
            error={errorAt?.(`rules.${at}.to`)}
            value={rule.to}
            onText={(to) => onRule({ ...rule, to })}
          />
        </div>
      ) : (
        <p className="mt-1 text-13 [overflow-wrap:anywhere] text-ink-2">
          {describeConditions(rule.if)}{' '}
          <span className="block">
            <span className="inline-block rtl:-scale-x-100">→</span> <bdi dir="ltr">{rule.to}</bdi>
          </span>
        </p>
      )}
    </>
  );
}

const SMALL = {
  size: 'sm',
  variant: 'ghost',
  className: 'w-8 px-0! pointer-coarse:w-11 aria-disabled:opacity-40',
} as const;

function swap<Item>(list: readonly Item[], one: number, other: number): Item[] {
  const swapped = [...list];
  const [first, second] = [list[one], list[other]];
  if (first !== undefined && second !== undefined) {
    swapped[one] = second;
    swapped[other] = first;
  }
  return swapped;
}

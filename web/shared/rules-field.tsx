import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { RULES_MAX } from '#contract/limits.ts';
import type { LinkRule } from '#contract/rule-conditions.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { RuleConditionsFields } from './rule-conditions-fields.tsx';

export type RulesFieldProps = {
  rules: LinkRule[];
  error: string | undefined;
  onRules: (rules: LinkRule[]) => void;
};

const NEW_RULE: LinkRule = { if: { device: ['ios'] }, to: '' };

/**
 * Edits the ordered rules of a link. Each rule keeps its identity while it moves, so that the focus
 * stays on the button that moved it.
 */
export function RulesField({ rules, error, onRules }: RulesFieldProps) {
  const next = useRef(rules.length);
  const [ids, setIds] = useState(() => rules.map((_, at) => at));
  const list = useRef<HTMLOListElement>(null);
  const update = (changed: LinkRule[], order: number[]): void => {
    setIds(order);
    onRules(changed);
  };
  const move = (at: number, to: number): void => {
    update(swap(rules, at, to), swap(ids, at, to));
    announce(`Rule ${at + 1} is now rule ${to + 1}.`);
  };
  const remove = (at: number): void => {
    update(rules.toSpliced(at, 1), ids.toSpliced(at, 1));
    announce(`Rule ${at + 1} removed.`);
    list.current?.parentElement?.querySelector<HTMLElement>('[data-add-rule]')?.focus();
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium text-ink">Rules</legend>
      <p className="mb-3 text-13 text-ink-3">
        Send some visitors elsewhere. The first rule that matches decides; everybody else gets the
        destination above. Cards in chats always show the destination above.
      </p>
      <ol ref={list} className="space-y-3">
        {rules.map((rule, at) => (
          <li key={ids[at] ?? at} className="rounded-md border border-line p-3">
            <div className="mb-3 flex flex-wrap items-center gap-1">
              <h3 className="me-auto text-14 font-medium text-ink">Rule {at + 1}</h3>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Move rule ${at + 1} up`}
                aria-disabled={at === 0}
                onClick={() => at > 0 && move(at, at - 1)}
              >
                <ArrowUp className="size-4" />
              </Button>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Move rule ${at + 1} down`}
                aria-disabled={at === rules.length - 1}
                onClick={() => at < rules.length - 1 && move(at, at + 1)}
              >
                <ArrowDown className="size-4" />
              </Button>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Remove rule ${at + 1}`}
                onClick={() => remove(at)}
              >
                <Trash2 className="size-4" />
              </Button>
            </div>
            <div className="space-y-3">
              <RuleConditionsFields
                conditions={rule.if}
                onConditions={(conditions) => onRules(rules.with(at, { ...rule, if: conditions }))}
              />
              <TextField
                {...VERBATIM}
                label="Leads to"
                dir="ltr"
                inputMode="url"
                value={rule.to}
                onText={(to) => onRules(rules.with(at, { ...rule, to }))}
              />
            </div>
          </li>
        ))}
      </ol>
      <ErrorText className="mt-2">{error}</ErrorText>
      {rules.length < RULES_MAX && (
        <Button
          data-add-rule
          size="sm"
          className="mt-3"
          onClick={() => update([...rules, NEW_RULE], [...ids, next.current++])}
        >
          <Plus className="size-4" />
          Add rule
        </Button>
      )}
    </fieldset>
  );
}

function swap<Item>(list: readonly Item[], one: number, other: number): Item[] {
  const swapped = [...list];
  const [first, second] = [list[one], list[other]];
  if (first !== undefined && second !== undefined) {
    swapped[one] = second;
    swapped[other] = first;
  }
  return swapped;
}

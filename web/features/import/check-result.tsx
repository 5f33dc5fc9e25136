import { useMemo, useState } from 'react';
import type { CollisionChoice } from '#contract/files/import-formats.ts';
import { plural, wordFor } from '#contract/language.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RadioOption } from '#web/ui/radio-option.tsx';
import type { ImportRow } from './formats/import-row.ts';
import { VerdictList } from './verdict-list.tsx';
import { forecast, type Checked } from './verdicts.ts';

const CHOICES: readonly { value: CollisionChoice; label: string; hint: string }[] = [
  { value: 'skip', label: 'Skip these rows', hint: 'No link is created for them.' },
  {
    value: 'new_code',
    label: 'Give them a new code',
    hint: 'A generated one, like for any new link.',
  },
  { value: 'suffix', label: 'Add a number', hint: 'spring becomes spring-2, where that is free.' },
];

const UNLIMITED = { room: Number.POSITIVE_INFINITY, allowance: 0 };

/**
 * Shows what an import of the file would do, with the choice for taken codes. Nothing has been
 * created yet.
 */
export function CheckResult({
  rows,
  checked,
  onImport,
}: {
  rows: readonly ImportRow[];
  checked: Checked;
  onImport: (collisions: CollisionChoice) => void;
}) {
  const [collisions, setCollisions] = useState<CollisionChoice>('skip');
  const verdicts = useMemo(() => forecast(rows, checked, collisions), [rows, checked, collisions]);
  // Whatever is chosen, these rows have a code that is taken.
  const skipped = useMemo(
    () => forecast(rows, { ...checked, ...UNLIMITED }, 'skip'),
    [rows, checked],
  );
  const count = (kind: string, among = verdicts): number =>
    among.filter((verdict) => verdict.kind === kind).length;
  const [created, overQuota, taken] = [
    count('new'),
    count('over_quota'),
    count('skipped', skipped),
  ];
  return (
    <Panel title="What the import will do" hint="Nothing has been created yet.">
      <div className="space-y-5">
        {taken > 0 && (
          <fieldset>
            <legend className="mb-1 text-13 font-medium">
              {plural(taken, 'row')} {wordFor(taken, 'has a code', 'have codes')} that can’t be used
            </legend>
            {CHOICES.map(({ value, label, hint }) => (
              <RadioOption
                key={value}
                name="collisions"
                label={label}
                hint={hint}
                checked={collisions === value}
                onSelect={() => setCollisions(value)}
              />
            ))}
          </fieldset>
        )}
        {overQuota > 0 && (
          <Notice tone="warn">
            {plural(created + overQuota, 'row')} would be created. Your quota has room for{' '}
            {plural(checked.room, 'link')} this month
            {checked.allowance > 0 &&
              `, and your plan for ${plural(checked.allowance, 'more link')} with a code in the file`}
            . The import creates {plural(created, 'link')} in the order of the file and leaves out{' '}
            {plural(overQuota, 'row')}. Import the same file again later: it adds only what is
            missing.
          </Notice>
        )}
        <VerdictList verdicts={verdicts} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          {created === 0 && <p className="text-13 text-ink-3">There is nothing to import.</p>}
          <Button variant="primary" disabled={created === 0} onClick={() => onImport(collisions)}>
            {created === 0 ? 'Import links' : `Import ${plural(created, 'link')}`}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

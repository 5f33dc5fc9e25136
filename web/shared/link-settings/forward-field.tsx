import { useState } from 'react';
import type { ForwardParams } from '#contract/links/forward-params.ts';
import { FORWARDED_NAMES_MAX, QR_PARAM } from '#contract/limits.ts';
import { VERBATIM } from '#web/ui/input.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const HINTS = {
  none: 'The link always leads to exactly this destination.',
  listed: `Up to ${FORWARDED_NAMES_MAX} names, separated by commas.`,
  all: `Everything after the “?” of the short URL, except “${QR_PARAM}”.`,
};
const ADDED =
  'They are added to the end of the destination’s query. Where the destination has a parameter already, its own value stays.';

type Kind = keyof typeof HINTS;

const kindOf = (params: ForwardParams): Kind => (typeof params === 'string' ? params : 'listed');

/** Chooses which query parameters of the short link its redirect adds to the target. */
export function ForwardField({
  params,
  onParams,
  error,
}: {
  params: ForwardParams;
  onParams: (params: ForwardParams) => void;
  error: string | undefined;
}) {
  const kind = kindOf(params);
  const [names, setNames] = useState(typeof params === 'string' ? '' : params.join(', '));
  return (
    <div className="space-y-3">
      <SelectField
        label="Forward query parameters"
        error={kind === 'listed' ? undefined : error}
        hint={kind === 'none' ? HINTS.none : `${HINTS[kind]} ${ADDED}`}
        choices={[
          ['none', 'None'],
          ['listed', 'Only those I list'],
          ['all', 'All'],
        ]}
        value={kind}
        onSelect={(value) => onParams(value === 'none' || value === 'all' ? value : toNames(names))}
      />
      {kind === 'listed' && (
        <TextField
          {...VERBATIM}
          label="Names of parameters"
          error={error}
          value={names}
          placeholder="ref, gclid"
          onText={(text) => {
            setNames(text);
            onParams(toNames(text));
          }}
        />
      )}
    </div>
  );
}

const toNames = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((name) => name !== '')),
];

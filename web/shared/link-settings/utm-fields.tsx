import { useState } from 'react';
import { UTM_VALUE_MAX } from '#contract/limits.ts';
import { UTM_FIELDS, type UtmField } from '#contract/presets/utm-templates.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { readUtm, writeUtm, type UtmValues } from './utm.ts';
import { UtmTemplatePicker } from './utm-template-picker.tsx';

const LABELS: Readonly<Record<UtmField, { label: string; example: string }>> = {
  source: { label: 'Source', example: 'newsletter' },
  medium: { label: 'Medium', example: 'email' },
  campaign: { label: 'Campaign', example: 'spring-sale' },
  term: { label: 'Term', example: 'running shoes' },
  content: { label: 'Content', example: 'top-banner' },
};

/** Edits the UTM parameters of the target, which are part of the long link. */
export function UtmFields({
  longUrl,
  onLongUrl,
}: {
  longUrl: string;
  onLongUrl: (longUrl: string) => void;
}) {
  const [lowerCase, setLowerCase] = useState(true);
  const values = readUtm(longUrl);
  const isEmpty = longUrl.trim() === '';
  const write = (change: Partial<UtmValues>): void => {
    const cased = Object.entries(change).map(([field, value]) => [
      field,
      lowerCase ? value.toLowerCase() : value,
    ]);
    onLongUrl(writeUtm(longUrl, Object.fromEntries(cased)));
  };
  return (
    <fieldset aria-label="Campaign (UTM)" className="min-w-0 space-y-3" disabled={isEmpty}>
      {isEmpty && <p className="text-13 text-ink-3">Paste a link first.</p>}
      <UtmTemplatePicker values={values} onChoose={write} />
      <div className="grid gap-3 sm:grid-cols-2">
        {UTM_FIELDS.map((field) => (
          <TextField
            {...VERBATIM}
            key={field}
            label={LABELS[field].label}
            value={values[field]}
            placeholder={LABELS[field].example}
            maxLength={UTM_VALUE_MAX}
            onText={(text) => write({ [field]: text })}
            onBlur={() =>
              values[field].trim() !== values[field] && write({ [field]: values[field].trim() })
            }
          />
        ))}
      </div>
      <Checkbox
        label="Write values in lower case"
        hint="Analytics tools count “Email” and “email” separately."
        checked={lowerCase}
        onChange={(event) => setLowerCase(event.target.checked)}
      />
      {!isEmpty && (
        <p className="text-13 text-ink-3">
          Destination:{' '}
          <span className="font-mono [overflow-wrap:anywhere] text-ink-2">{longUrl.trim()}</span>
        </p>
      )}
    </fieldset>
  );
}

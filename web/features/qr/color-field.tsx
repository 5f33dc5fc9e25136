import { useState } from 'react';
import { useChange } from '#web/shared/api/use-change.ts';
import { Field } from '#web/ui/field.tsx';
import { Input, VERBATIM } from '#web/ui/input.tsx';

/**
 * A color from the browser's palette or typed as six hexadecimal digits. Three digits are doubled.
 */
export function ColorField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const typed = parseColor(text);
  useChange(value, () => {
    if (typed !== value) setText(value);
  });
  const set = (next: string): void => {
    setText(next);
    const color = parseColor(next);
    if (color !== null) onChange(color);
  };
  return (
    <Field
      label={label}
      error={typed === null ? 'Enter # and six digits from 0 to 9 and a to f.' : undefined}
    >
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={`${label}, palette`}
            value={value}
            className="h-9 w-12 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1 pointer-coarse:h-11"
            onChange={(event) => set(event.target.value)}
          />
          <Input
            {...control}
            {...VERBATIM}
            dir="ltr"
            className="font-mono rtl:text-end"
            value={text}
            maxLength={7}
            onChange={(event) => set(event.target.value)}
          />
        </div>
      )}
    </Field>
  );
}

function parseColor(text: string): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}

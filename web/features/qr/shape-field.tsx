import type { QrStyle } from '#contract/presets/qr-presets.ts';
import { optionClass } from '#web/ui/selected.ts';
import { drawEye, drawModules, pathOf } from './draw-qr.ts';

export type Shape<Value extends string> = {
  value: Value;
  label: string;
  path: string;
  side: number;
};

/** A few modules that show how adjacent ones look. */
const SAMPLE = ['1101', '0110', '1011', '1110'];
const modules = (value: QrStyle['modules'], label: string): Shape<QrStyle['modules']> => ({
  value,
  label,
  path: pathOf(drawModules(SAMPLE.length, (x, y) => SAMPLE[y]?.[x] === '1', value)),
  side: SAMPLE.length,
});
const eye = (value: QrStyle['eyes'], label: string): Shape<QrStyle['eyes']> => ({
  value,
  label,
  path: pathOf(drawEye(0, 0, value)),
  side: 7,
});

export const MODULE_OPTIONS = [
  modules('square', 'Square'),
  modules('rounded', 'Rounded'),
  modules('dots', 'Dots'),
];
export const EYE_OPTIONS = [
  eye('square', 'Square'),
  eye('rounded', 'Rounded'),
  eye('circle', 'Circle'),
];

export function ShapeField<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
}: {
  legend: string;
  name: string;
  options: readonly Shape<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">{legend}</legend>
      <div className="grid grid-cols-3 gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className={`relative flex flex-col items-center gap-1.5 rounded-md px-2 py-2.5 text-13 ${optionClass(option.value === value)}`}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <svg
              viewBox={`0 0 ${option.side} ${option.side}`}
              className="size-8"
              aria-hidden="true"
            >
              <path d={option.path} fillRule="evenodd" fill="currentColor" />
            </svg>
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

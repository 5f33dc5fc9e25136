import { clsx } from 'clsx';
import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { lazyPopup } from '#web/ui/lazy-popup.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { optionClass } from '#web/ui/selected.ts';
import {
  describeSelection,
  isSame,
  labelOf,
  MAIN_RANGES,
  monthBefore,
  type Selection,
} from './range.ts';

const CustomRange = lazyPopup(() => import('./custom-range.tsx').then((m) => m.CustomRange));

const rangeClass =
  'relative inline-flex h-8 items-center justify-center rounded-sm px-1 text-13 font-medium whitespace-nowrap sm:px-2.5 pointer-coarse:h-11';

/**
 * Selects the time range: radio buttons for common ones, so that arrow keys and screen readers work
 * as usual, and a menu for months and own days.
 */
export function RangePicker({
  value,
  onChange,
}: {
  value: Selection;
  onChange: (selection: Selection) => void;
}) {
  const [opened, setOpened] = useState(false);
  const [now] = useState(Date.now);
  const more = [
    { label: 'Today', selection: { range: 'today' } },
    { label: 'This month', selection: monthBefore(now, 0) },
    { label: 'Last month', selection: monthBefore(now, 1) },
    { label: 'Last 12 months', selection: { range: '12m' } },
  ] as const satisfies { label: string; selection: Selection }[];
  const chosen = MAIN_RANGES.find((range) => 'range' in value && value.range === range);
  const name =
    more.find(({ selection }) => isSame(selection, value))?.label ?? describeSelection(value);
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0 print:hidden">
      <legend className="sr-only">Time range</legend>
      <div className="flex rounded-md border border-line bg-surface p-0.5">
        {MAIN_RANGES.map((range) => (
          <label
            key={range}
            className={clsx(rangeClass, 'flex-auto', optionClass(chosen === range))}
          >
            <input
              type="radio"
              name="range"
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              value={range}
              checked={chosen === range}
              onChange={() => onChange({ range })}
            />
            {labelOf(range)}
          </label>
        ))}
        <Menu
          label={chosen === undefined ? `Time range: ${name}` : 'More time ranges'}
          items={[
            ...more.map(({ label, selection }) => ({
              label,
              onSelect: () => onChange(selection),
            })),
            { label: 'Own dates…', onSelect: () => setOpened(true) },
          ]}
          className={clsx(rangeClass, 'gap-1.5', optionClass(chosen === undefined))}
        >
          <CalendarRange className="size-4" />
          {chosen === undefined && <span className="max-w-28 truncate">{name}</span>}
        </Menu>
      </div>
      {opened && (
        <CustomRange
          value={value}
          onChange={(selection) => {
            setOpened(false);
            onChange(selection);
          }}
          onClose={() => setOpened(false)}
        />
      )}
    </fieldset>
  );
}

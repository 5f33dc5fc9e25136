import { DirectionProvider } from '@base-ui/react/direction-provider';
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { clsx } from 'clsx';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { directionOf } from './direction.ts';
import { viewClass } from './selected.ts';

/**
 * Tabs with one visible panel. The caller holds the selection, usually in the URL. Arrow keys, Home
 * and End change it; in right-to-left text, the left arrow selects the next tab.
 */
export function Tabs<T extends string>({
  tabs,
  value,
  onChange,
  label,
  fill = false,
  children,
}: {
  tabs: readonly { value: T; label: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
  label: string;
  fill?: boolean;
  children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [direction, setDirection] = useState<'ltr' | 'rtl'>('ltr');
  // The tabs may be wider than a phone's screen, so the selected one scrolls into view.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[data-value="${value}"]`);
    if (tab && list.current)
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [value]);
  return (
    <DirectionProvider direction={direction}>
      <BaseTabs.Root value={value} onValueChange={(next: T) => onChange(next)}>
        <BaseTabs.List
          ref={list}
          activateOnFocus
          onFocus={({ currentTarget }) => setDirection(directionOf(currentTarget))}
          aria-label={label}
          className="relative flex max-w-full gap-1 overflow-x-auto border-b border-line"
        >
          {tabs.map((tab) => (
            <BaseTabs.Tab
              key={tab.value}
              value={tab.value}
              data-value={tab.value}
              className={clsx(
                '-mb-px h-10 shrink-0 rounded-t-md px-3 text-14 font-medium whitespace-nowrap -outline-offset-2 active:bg-pressed pointer-coarse:h-11',
                viewClass(tab.value === value),
                tab.value !== value && 'print:hidden',
                fill && 'flex-1',
              )}
            >
              {tab.label}
            </BaseTabs.Tab>
          ))}
        </BaseTabs.List>
        {/* The panel is not a tab stop, because every panel begins with an element that is. */}
        <BaseTabs.Panel value={value} tabIndex={-1} className="pt-5">
          {children}
        </BaseTabs.Panel>
      </BaseTabs.Root>
    </DirectionProvider>
  );
}

import { clsx } from 'clsx';
import { useEffect, useId, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';

/** Tabs with one visible panel. The caller holds the selection, usually in the URL. Arrow keys change it. */
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
  /** Names the tab list for screen readers. */
  label: string;
  /** The tabs fill the whole width. */
  fill?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // The tabs may be wider than a phone's screen, so scroll the selected one into view.
  useEffect(() => {
    const tab = document.getElementById(`${id}-${value}`);
    if (tab && list.current) list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [id, value]);
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = (tabs.findIndex((tab) => tab.value === value) + step + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next === undefined) return;
    onChange(next.value);
    list.current?.querySelectorAll<HTMLButtonElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        className="relative flex max-w-full gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className={clsx(
              '-mb-px h-10 shrink-0 border-b-2 px-3 text-14 font-medium whitespace-nowrap transition-colors duration-150 -outline-offset-2 pointer-coarse:h-11',
              fill && 'flex-1',
              tab.value === value
                ? 'border-ink text-ink forced-colors:border-[Highlight]'
                : 'border-transparent text-ink-3 hover:text-ink forced-colors:border-[Canvas]',
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`} className="pt-5">
        {children}
      </div>
    </>
  );
}

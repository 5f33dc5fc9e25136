import { useId, useRef, useState, type ReactNode } from 'react';
import { iconButtonClass } from './button.tsx';
import { lazyPopup } from './lazy-popup.tsx';
import type { MenuItem, MenuPopupProps } from './menu-popup.tsx';

const loadPopup = () => import('./menu-popup.tsx').then((m) => m.MenuPopup);
const MenuPopup = lazyPopup(loadPopup);

/**
 * A button that opens a menu. The menu's code loads when the pointer or the focus reaches the
 * button.
 */
export function Menu({
  label,
  items,
  heading,
  tooltip,
  className = iconButtonClass,
  children,
}: {
  label: string;
  items: readonly MenuItem[];
  heading?: ReactNode;
  tooltip?: string;
  /** Replaces the look of a small icon button. */
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const [start, setStart] = useState<MenuPopupProps['start'] | null>(null);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const open = start !== null;
  const preload = (): void => void loadPopup().catch(() => undefined);
  return (
    <span ref={root} className="inline-flex shrink-0">
      <button
        ref={button}
        type="button"
        aria-label={label}
        data-tooltip={tooltip}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={preload}
        onFocus={preload}
        // A click by Enter or Space has a `detail` of 0.
        onClick={(event) => setStart(open ? null : event.detail === 0 ? 'first' : 'none')}
        onKeyDown={(event) => {
          if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
          event.preventDefault();
          setStart(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
        className={className}
      >
        {children}
      </button>
      {open && (
        <MenuPopup
          id={id}
          label={label}
          items={items}
          heading={heading}
          start={start}
          button={button}
          container={root}
          onClose={() => setStart(null)}
        />
      )}
    </span>
  );
}

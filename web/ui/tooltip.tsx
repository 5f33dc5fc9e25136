import { clsx } from 'clsx';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';

/** A tooltip on hover and focus, closed by Escape. Its trigger is a button, so it works by keyboard and by touch. */
export function Tooltip({ text, align = 'start', children }: { text: ReactNode; align?: 'start' | 'end'; children: ReactNode }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <span className="relative inline-flex" onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        type="button"
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false);
        }}
        className="inline-flex cursor-help items-center rounded-sm decoration-line-strong decoration-dotted underline-offset-4 hover:underline"
      >
        {children}
      </button>
      <span
        id={id}
        role="tooltip"
        className={clsx(
          'pointer-events-none absolute top-full z-30 mt-1.5 w-max max-w-56 rounded-md border border-line bg-raised px-2.5 py-1.5 text-left text-12 font-normal text-ink-2 shadow-float transition-opacity duration-150',
          align === 'end' ? 'right-0' : 'left-0',
          open ? 'opacity-100' : 'invisible opacity-0',
        )}
      >
        {text}
      </span>
    </span>
  );
}

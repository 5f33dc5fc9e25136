import { Info } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { iconButtonClass } from './button.tsx';

/**
 * Returns a small button that explains what is beside it, and the explanation, which shows while
 * the button is pressed. A page with many explanations stays calm, and phones need no tooltip.
 */
export function useHint(name: string, text: ReactNode): [button: ReactNode, hint: ReactNode] {
  const id = useId();
  const [open, setOpen] = useState(false);
  return [
    <button
      key="button"
      type="button"
      aria-label={`About ${name}`}
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      onClick={() => setOpen(!open)}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      className={`${iconButtonClass} text-ink-3! print:hidden`}
    >
      <Info className="size-3.5" />
    </button>,
    open && (
      <p key="hint" id={id} className="text-13 text-ink-2">
        {text}
      </p>
    ),
  ];
}

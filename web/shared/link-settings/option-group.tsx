import { ChevronDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';

export type OptionGroupProps = {
  title: string;
  about: string;
  /** What is set in it, or ''. */
  summary: string;
  /** Opens the group, so that the field with the error is in view. */
  hasError: boolean;
  children: ReactNode;
};

/**
 * A group of options that shows its title and what is set until it is opened. Its fields stay when
 * it is closed again, with what was typed.
 */
export function OptionGroup({ title, about, summary, hasError, children }: OptionGroupProps) {
  const id = useId();
  const [wanted, setWanted] = useState(false);
  const open = wanted || hasError;
  const [seen, setSeen] = useState(open);
  if (open && !seen) setSeen(true);
  return (
    <div>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          className="flex w-full items-center gap-3 px-4 py-3 text-start text-wrap -outline-offset-2 hover:bg-hover active:bg-pressed"
          onClick={() => setWanted(!open)}
        >
          <span className="min-w-0 flex-1">
            <span className="block text-14 font-medium text-ink">{title}</span>
            <span
              className={`block text-13 font-normal [overflow-wrap:anywhere] ${summary === '' ? 'text-ink-3' : 'text-accent'}`}
            >
              {summary === '' ? about : summary}
            </span>
          </span>
          <ChevronDown
            className={`size-4 shrink-0 text-ink-3 transition-transform duration-150 ${open ? 'rotate-180' : ''}`}
          />
        </button>
      </h3>
      <div id={id} hidden={!open} className="space-y-4 px-4 pt-1 pb-4">
        {(open || seen) && children}
      </div>
    </div>
  );
}

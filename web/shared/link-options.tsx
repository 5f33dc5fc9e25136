import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { ForwardParams } from '#contract/forward-params.ts';
import { Button } from '#web/ui/button.tsx';
import { ForwardField } from './forward-field.tsx';
import { readUtm } from './utm.ts';
import { UtmFields } from './utm-fields.tsx';

export type LinkOptionsProps = {
  /** The long link as it was typed. UTM values are written into it. */
  longUrl: string;
  onLongUrl: (longUrl: string) => void;
  forward: ForwardParams;
  onForward: (rule: ForwardParams) => void;
  forwardError?: string | undefined;
};

/**
 * A button that shows the UTM values and forwarded parameters of a link. It starts open if the link
 * has any.
 */
export function LinkOptions({
  longUrl,
  onLongUrl,
  forward,
  onForward,
  forwardError,
}: LinkOptionsProps) {
  const id = useId();
  const [open, setOpen] = useState(
    () => forward !== 'none' || Object.values(readUtm(longUrl)).some((value) => value !== ''),
  );
  return (
    <div>
      <Button
        size="sm"
        variant="ghost"
        className="-ms-2.5"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        More options
        <ChevronDown
          className={`size-4 transition-transform duration-150 ${open ? 'rotate-180' : ''}`}
        />
      </Button>
      <div
        id={id}
        hidden={!open}
        className="mt-2 space-y-4 rounded-md border border-line bg-surface p-4"
      >
        {open && (
          <>
            <UtmFields longUrl={longUrl} onLongUrl={onLongUrl} />
            <ForwardField rule={forward} onRule={onForward} error={forwardError} />
          </>
        )}
      </div>
    </div>
  );
}

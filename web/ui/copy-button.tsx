import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { announce, toast } from './announcer.ts';
import { Button } from './button.tsx';

/** Milliseconds for which the button shows 'Copied!'. */
const CONFIRMATION_MS = 2_000;

/** Copies `text`, then shows and announces 'Copied!'. With `label` null it shows the icon only and takes its name from `name`. */
export function CopyButton({
  text,
  label = 'Copy',
  name,
  variant = 'secondary',
  size = 'md',
}: {
  text: string;
  label?: string | null;
  /** The button's name for screen readers: 'Copy hop.example/abc'. */
  name?: string;
  variant?: 'primary' | 'secondary' | 'ghost';
  size?: 'sm' | 'md' | 'lg';
}) {
  /** Counts up with every copy, so that each one restarts the timer; 0 when nothing is confirmed. */
  const [copies, setCopies] = useState(0);
  const copied = copies > 0;
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopies((before) => before + 1);
        announce('Copied!');
      },
      () => toast('Your browser blocked copying. Select the text and copy it yourself.', { tone: 'bad' }),
    );
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant={variant}
      size={size}
      onClick={copy}
      aria-label={label === null ? (copied ? 'Copied!' : (name ?? 'Copy')) : undefined}
      className={label === null ? 'px-0! w-8 pointer-coarse:w-11' : ''}
    >
      <Icon
        className={`size-4 ${copied ? 'text-good' : ''} ${variant === 'primary' ? 'text-current!' : ''}`}
        aria-hidden="true"
      />
      {label !== null && (
        <span className="grid justify-items-start">
          {/* Both labels are laid out, so the button keeps the width of the wider one. */}
          <span className={`col-start-1 row-start-1 ${copied ? 'invisible' : ''}`}>{label}</span>
          <span className={`col-start-1 row-start-1 ${copied ? '' : 'invisible'}`}>Copied!</span>
        </span>
      )}
    </Button>
  );
}

import { clsx } from 'clsx';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { announce, toast } from './announcer.ts';
import { Button } from './button.tsx';

/** Copies `text`, calls `onCopied` and announces it, or says that the browser blocked it. */
export function copyText(text: string, onCopied: () => void = () => undefined): void {
  navigator.clipboard.writeText(text).then(
    () => {
      onCopied();
      announce('Copied!');
    },
    () =>
      toast('Your browser blocked copying. Select the text and copy it yourself.', { tone: 'bad' }),
  );
}

/** How many ms the button shows 'Copied!'. */
const CONFIRMATION_MS = 2_000;

/**
 * Copies `text`, then shows and announces 'Copied!'. If `label` is null, it shows only the icon and
 * takes its name from `name`.
 */
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
  variant?: 'primary' | 'secondary' | 'ghost' | undefined;
  size?: 'sm' | 'md' | 'lg';
}) {
  /** Increases with every copy, so that each one restarts the timer; 0 if nothing is confirmed. */
  const [copies, setCopies] = useState(0);
  const copied = copies > 0;
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const Icon = copied ? Check : Copy;
  const icon = <Icon className={clsx('size-4', copied && variant !== 'primary' && 'text-good')} />;
  return (
    <Button
      variant={variant}
      size={size}
      onClick={() => copyText(text, () => setCopies((before) => before + 1))}
      aria-label={label === null ? (copied ? 'Copied!' : (name ?? 'Copy')) : undefined}
      data-tooltip={label === null ? 'Copy' : undefined}
      className={label === null ? 'px-0! w-8 pointer-coarse:w-11' : ''}
    >
      {label === null ? (
        icon
      ) : (
        // Both labels are laid out, so the button keeps the width of the wider one. Only the
        // visible one is part of the page's text.
        <span className="grid justify-items-center">
          <span
            className={clsx(
              'col-start-1 row-start-1 inline-flex items-center gap-2',
              copied && 'invisible',
            )}
          >
            {icon}
            {label}
          </span>
          <span
            className={clsx(
              'col-start-1 row-start-1 inline-flex items-center gap-2',
              !copied && 'invisible',
            )}
          >
            {icon}
            {copied ? 'Copied!' : <span className="before:content-['Copied!']" />}
          </span>
        </span>
      )}
    </Button>
  );
}

/** A small button with only the icon. `name` is for screen readers: 'Copy hop.example/abc'. */
export const CopyIcon = ({ text, name }: { text: string; name: string }) => (
  <CopyButton text={text} label={null} name={name} variant="ghost" size="sm" />
);

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { announce, toast } from './announcer.ts';
import { Button } from './button.tsx';

const COPIED_FOR_MS = 2_000;

/** Copies `text`, shows Copied! for two seconds and announces it. `label` null: the icon alone, named by `name`. */
export function CopyButton({
  text,
  label = 'Copy',
  name,
  variant = 'secondary',
  size = 'md',
}: {
  text: string;
  label?: string | null;
  /** What is copied, for screen readers: 'Copy hop.example/abc'. */
  name?: string;
  variant?: 'primary' | 'secondary' | 'ghost';
  size?: 'sm' | 'md' | 'lg';
}) {
  const [copiedAt, setCopiedAt] = useState(0);
  const copied = copiedAt > 0;
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), COPIED_FOR_MS);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopiedAt((before) => before + 1);
        announce('Copied!');
      },
      () => toast('This browser did not let us copy. Select the text and copy it by hand.', { tone: 'bad' }),
    );
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant={variant}
      size={size}
      onClick={copy}
      aria-label={label === null ? (copied ? 'Copied!' : (name ?? 'Copy')) : undefined}
      title={label === null ? 'Copy' : undefined}
      className={label === null ? 'px-0! w-8 pointer-coarse:w-11' : ''}
    >
      <Icon
        className={`size-4 ${copied ? 'text-good' : ''} ${variant === 'primary' ? 'text-current!' : ''}`}
        aria-hidden="true"
      />
      {label !== null && (
        <span className="grid justify-items-start">
          {/* Both words take the room of the wider, so that nothing moves. */}
          <span className={`col-start-1 row-start-1 ${copied ? 'invisible' : ''}`}>{label}</span>
          <span className={`col-start-1 row-start-1 ${copied ? '' : 'invisible'}`}>Copied!</span>
        </span>
      )}
    </Button>
  );
}

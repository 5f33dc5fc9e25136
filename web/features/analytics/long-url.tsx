import { clsx } from 'clsx';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** In characters. A longer URL is cut to one line until it is expanded. */
const COLLAPSED_MAX = 100;

/** The target of a link, with buttons that show all of it and copy it. */
export function LongUrl({ url }: { url: string }) {
  const [expanded, setExpanded] = useState(false);
  const canExpand = url.length > COLLAPSED_MAX;
  return (
    <span className="flex max-w-reading items-start gap-1">
      <a
        href={url}
        rel="noopener noreferrer nofollow"
        target="_blank"
        className={clsx('min-w-0 py-1.5 text-ink-2 hover:text-ink hover:underline', canExpand && !expanded && 'truncate')}
      >
        {url}
      </a>
      {canExpand && (
        <Button size="sm" variant="ghost" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
          {expanded ? 'Show less' : 'Show all'}
        </Button>
      )}
      <CopyButton text={url} label={null} name="Copy long URL" variant="ghost" size="sm" />
    </span>
  );
}

import { Share2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** The device's own share sheet; where there is none (or it fails), the page's link is copied (spec §2). */
export function ShareButton({ title, url }: { title: string; url: string }) {
  if (!('share' in navigator) || typeof navigator.share !== 'function') {
    return <CopyButton text={url} label="Share" name="Copy the link to this post" />;
  }
  const share = (): void => {
    // Closing the sheet without a choice rejects, too, and is no failure.
    navigator.share({ title, url }).catch(() => undefined);
  };
  return (
    <Button onClick={share}>
      <Share2 className="size-4" aria-hidden="true" />
      Share
    </Button>
  );
}

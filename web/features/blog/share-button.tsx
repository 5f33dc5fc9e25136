import { Share2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** Opens the device's share sheet, or copies the page's link if the browser has none. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  if (!('share' in navigator) || typeof navigator.share !== 'function') {
    return <CopyButton text={url} label="Share" name="Copy the link to this post" />;
  }
  const share = (): void => {
    // Closing the sheet without sharing also rejects, so errors are ignored.
    navigator.share({ title, url }).catch(() => undefined);
  };
  return (
    <Button onClick={share}>
      <Share2 className="size-4" />
      Share
    </Button>
  );
}

import { config } from '#web/shared/page/config.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';

/** Where the emails of a local installation are. The page that waits for a code stays open. */
export const LocalMailbox = () =>
  config.devMailbox && (
    <p className="text-13 text-ink-3">
      This is a local installation:{' '}
      <a href="/dev/mailbox" target="_blank" className={textLinkClass}>
        open the mailbox
      </a>
      .
    </p>
  );

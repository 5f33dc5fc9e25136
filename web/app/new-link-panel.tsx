import { useState } from 'react';
import { useInvalidateLinks } from '#web/features/links/queries.ts';
import { useQuotaChange, useSubscriptionCache } from '#web/features/plans/queries.ts';
import { NewLinkDialog } from '#web/features/shorten/new-link-dialog.tsx';
import { setCreatedCode } from '#web/shared/links/new-link.ts';
import { withQueryClient } from './query-client.tsx';
import { useEditLink } from './use-edit-link.tsx';
import { UpgradePopup } from './upgrade-popup.ts';

/** The panel for a new link, over any page. */
function Panel({ onClose }: { onClose: () => void }) {
  const [upgrading, setUpgrading] = useState(false);
  const [quotaChanges, setQuotaChanges] = useState(0);
  useQuotaChange(() => setQuotaChanges((n) => n + 1));
  const { afterShorten } = useSubscriptionCache();
  const invalidateLinks = useInvalidateLinks();
  const edit = useEditLink(onClose);
  if (edit.dialog !== null) return edit.dialog;
  return (
    <NewLinkDialog
      quotaChanges={quotaChanges}
      edit={edit}
      onCreated={({ code, usage }) => {
        setCreatedCode(code);
        afterShorten(usage);
        invalidateLinks();
      }}
      onUpgrade={() => setUpgrading(true)}
      onClose={onClose}
    >
      {upgrading && <UpgradePopup open onClose={() => setUpgrading(false)} />}
    </NewLinkDialog>
  );
}

export const NewLinkPanel = withQueryClient(Panel);

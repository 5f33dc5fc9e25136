import { useState } from 'react';
import { useQuotaChange } from '#web/features/plans/queries.ts';
import { NewLinkDialog } from '#web/features/shorten/new-link-dialog.tsx';
import { setCreatedCode } from '#web/shared/links/new-link.ts';
import { withQueryClient } from './query-client.tsx';
import { useEditLink } from './use-edit-link.tsx';
import { useUpgradePopup } from './upgrade-popup.tsx';
import { useLinksAdded } from './use-links-added.ts';

/** The panel for a new link, over any page. */
function Panel({ onClose }: { onClose: () => void }) {
  const [upgrade, upgradePopup] = useUpgradePopup();
  const [quotaChanges, setQuotaChanges] = useState(0);
  useQuotaChange(() => setQuotaChanges((n) => n + 1));
  const onAdded = useLinksAdded();
  const edit = useEditLink(onClose);
  if (edit.dialog !== null) return edit.dialog;
  return (
    <NewLinkDialog
      quotaChanges={quotaChanges}
      edit={edit}
      onCreated={({ code, usage }) => {
        setCreatedCode(code);
        onAdded(usage);
      }}
      onUpgrade={upgrade}
      onClose={onClose}
    >
      {upgradePopup}
    </NewLinkDialog>
  );
}

export const NewLinkPanel = withQueryClient(Panel);

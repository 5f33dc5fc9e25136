import { useState } from 'react';
import { ROTATION_HOURS, type ApiKey, type CreatedApiKey } from '#contract/api-keys.ts';
import { config } from '#web/shared/config.ts';
import { OverlapField } from '#web/shared/overlap-field.tsx';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useRevokeKey, useRotateKey } from './queries.ts';

/** The only time that a key's secret is shown. */
export function SecretDialog({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }) {
  const example = `curl ${config.appOrigin}/api/v1/me -H "Authorization: Bearer ${apiKey.key}"`;
  return (
    <Dialog open onClose={onClose} title="Copy your API key" width="reading">
      <p className="text-14 text-ink-2">
        This is the only time we show the key of “{apiKey.name}”. Store it like a password; anyone
        who has it can use your account within its scopes.
      </p>
      <div className="mt-4">
        <CodeToCopy text={apiKey.key} label="Copy key" variant="primary" />
      </div>
      <p className="mt-5 mb-1.5 text-13 font-medium">Try it</p>
      <CodeToCopy text={example} label="Copy command" />
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

/** Gives a key a new secret. `onRotated` gets it. */
export function RotateDialog({
  apiKey,
  onRotated,
  onClose,
}: {
  apiKey: ApiKey;
  onRotated: (key: CreatedApiKey) => void;
  onClose: () => void;
}) {
  const [overlapHours, setOverlapHours] = useState<number>(ROTATION_HOURS);
  const rotate = useRotateKey(onRotated);
  return (
    <ConfirmDialog
      open
      title="Rotate this key?"
      action="Rotate key"
      tone="primary"
      pending={rotate.isPending}
      error={rotate.error?.message ?? ''}
      onConfirm={() => rotate.mutate({ id: apiKey.id, overlapHours })}
      onClose={onClose}
    >
      <p className="mb-4">
        “{apiKey.name}” gets a new secret, with the same scopes. The present one keeps working for
        as long as you choose, so that you can replace it without an interruption.
      </p>
      <OverlapField hours={overlapHours} onChange={setOverlapHours} />
    </ConfirmDialog>
  );
}

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey(() => {
    toast('API key revoked.');
    onClose();
  });
  return (
    <ConfirmDialog
      open
      title="Revoke this key?"
      action="Revoke key"
      pending={revoke.isPending}
      error={revoke.error?.message ?? ''}
      onConfirm={() => revoke.mutate(apiKey.id)}
      onClose={onClose}
    >
      <p>
        Everything that uses “{apiKey.name}” (<span className="font-mono">{apiKey.prefix}…</span>)
        stops working at once. This cannot be undone. Links that it created stay.
      </p>
    </ConfirmDialog>
  );
}

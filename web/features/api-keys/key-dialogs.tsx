import type { ApiKey, CreatedApiKey } from '#contract/api-keys.ts';
import { config } from '#web/shared/config.ts';
import { RotateDialog, SecretDialog } from '#web/shared/secret-dialogs.tsx';
import { toast } from '#web/ui/announcer.ts';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useRevokeKey, useRotateKey } from './queries.ts';

export function KeySecretDialog({
  apiKey,
  onClose,
}: {
  apiKey: CreatedApiKey;
  onClose: () => void;
}) {
  const example = `curl ${config.appOrigin}/api/v1/me -H "Authorization: Bearer ${apiKey.key}"`;
  return (
    <SecretDialog
      title="Copy your API key"
      hint={`This is the only time we show the key of “${apiKey.name}”. Store it like a password; anyone who has it can use your account within its scopes.`}
      secret={apiKey.key}
      label="Copy key"
      onClose={onClose}
    >
      <p className="mt-5 mb-1.5 text-13 font-medium">Try it</p>
      <CodeToCopy text={example} label="Copy command" />
    </SecretDialog>
  );
}

/** `onRotated` receives the key with its new secret. */
export function RotateKeyDialog({
  apiKey,
  onRotated,
  onClose,
}: {
  apiKey: ApiKey;
  onRotated: (key: CreatedApiKey) => void;
  onClose: () => void;
}) {
  return (
    <RotateDialog
      title="Rotate this key?"
      action="Rotate key"
      id={apiKey.id}
      rotation={useRotateKey(onRotated)}
      onClose={onClose}
    >
      “{apiKey.name}” gets a new secret, with the same scopes. The present one keeps working for as
      long as you choose, so that you can replace it without an interruption.
    </RotateDialog>
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

import { CODE_PREFIX_MAX } from '#contract/limits.ts';
import { SCOPES, SCOPE_TEXTS } from '#contract/api/scopes.ts';
import type {
  ApiKey,
  ApiKeyRequest,
  ApiKeysResponse,
  CreatedApiKey,
} from '#contract/api/api-keys.ts';
import { config } from '#web/shared/page/config.ts';
import { RotateDialog, SecretDialog } from '#web/shared/secrets/secret-dialogs.tsx';
import { SendDialog } from '#web/shared/api/send-dialog.tsx';
import { toast } from '#web/ui/announcer.ts';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';
import { useQuery } from '@tanstack/react-query';
import { api } from '#web/shared/api/api.ts';
import { useCodeCheck } from '#web/shared/sign-in/use-code-check.tsx';
import { useSend } from '#web/shared/api/use-send.ts';
import { useState } from 'react';
import { DAY_MS } from '#contract/time.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { CheckboxGroup, NONE_CHOSEN } from '#web/ui/checkbox.tsx';
import { TextLink } from '#web/ui/external-link.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

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
      <p className="mt-3 text-13 text-ink-3">
        Until you reload, the samples of the <TextLink to="/docs/api">API documentation</TextLink>{' '}
        contain this key, too.
      </p>
    </SecretDialog>
  );
}

/** `onRotated` receives the key with its new secret. */
export const RotateKeyDialog = ({
  apiKey,
  onRotated,
  onClose,
}: {
  apiKey: ApiKey;
  onRotated: (key: CreatedApiKey) => void;
  onClose: () => void;
}) => (
  <RotateDialog
    title="Rotate this key?"
    action="Rotate key"
    path={pathOf(apiKey)}
    reloads={KEYS}
    onDone={onRotated}
    onClose={onClose}
  >
    “{apiKey.name}” gets a new secret, with the same scopes. The present one keeps working for as
    long as you choose, so that you can replace it without an interruption.
  </RotateDialog>
);

export const RevokeDialog = ({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) => (
  <SendDialog
    title={apiKey.app === null ? 'Revoke this key?' : 'Disconnect this app?'}
    action={apiKey.app === null ? 'Revoke key' : 'Disconnect app'}
    send={() => api(pathOf(apiKey), { method: 'DELETE' })}
    reloads={KEYS}
    onDone={() => {
      toast(apiKey.app === null ? 'API key revoked.' : 'App disconnected.');
      onClose();
    }}
    onClose={onClose}
  >
    <p>
      {apiKey.app === null ? 'Everything that uses' : 'The access of'} “{apiKey.name}” (
      <span className="font-mono">{apiKey.app ?? `${apiKey.prefix}…`}</span>){' '}
      {apiKey.app === null ? 'stops working' : 'ends'} at once. This cannot be undone. Links that it
      created stay.
    </p>
  </SendDialog>
);

const KEYS = [['api-keys']];
const pathOf = ({ id }: ApiKey): string => `/api/keys/${encodeURIComponent(id)}`;

export const useApiKeys = () =>
  useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => api<ApiKeysResponse>('/api/keys', { signal }),
  });

/** In days; 0 for a key that does not expire. */
const LIFETIMES = [
  [0, 'Never'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
  [365, 'In a year'],
] as const;
const SCOPE_CHOICES = SCOPES.map((value) => ({
  value,
  label: SCOPE_TEXTS[value].name,
  hint: SCOPE_TEXTS[value].detail,
}));

/** Asks for name, scopes, lifetime and prefix. `onCreated` receives the key with its secret. */
export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (key: CreatedApiKey) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState(['links:read', 'links:write'] as (typeof SCOPES)[number][]);
  const [days, setDays] = useState(0);
  const [codePrefix, setCodePrefix] = useState('');
  const [invalid, setInvalid] = useState<{ name?: string; scopes?: string }>({});
  const codeCheck = useCodeCheck();
  const create = useSend(
    (body: ApiKeyRequest) =>
      codeCheck.run(() => api<CreatedApiKey>('/api/keys', { method: 'POST', body })),
    KEYS,
    onCreated,
  );
  const errors = serverErrors(create.error, ['name', 'scopes', 'expiresAt', 'codePrefix']);
  const submit = (): void => {
    const found = {
      ...(name.trim() === '' && { name: 'Enter a name for the key.' }),
      ...(scopes.length === 0 && { scopes: NONE_CHOSEN }),
    };
    setInvalid(found);
    if (Object.keys(found).length > 0) return;
    create.mutate({
      name,
      scopes,
      expiresAt: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      codePrefix: codePrefix === '' ? null : codePrefix,
    });
  };
  return (
    <FormDialog
      title="Create API key"
      action="Create key"
      pending={create.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      {codeCheck.dialog}
      <TextField
        label="Name"
        hint="What will use the key, so that you recognize it later."
        error={invalid.name ?? errors.at('name')}
        value={name}
        maxLength={50}
        autoComplete="off"
        onText={setName}
      />
      <CheckboxGroup
        legend="What it may do"
        choices={SCOPE_CHOICES}
        chosen={scopes}
        error={invalid.scopes ?? errors.at('scopes')}
        onChange={setScopes}
      />
      <SelectField
        label="Expires"
        error={errors.at('expiresAt')}
        choices={LIFETIMES}
        value={days}
        onSelect={(value) => setDays(Number(value))}
      />
      <TextField
        {...VERBATIM}
        label="Code prefix (optional)"
        hint="The key creates and sees only links whose code starts with this, and sets no tags."
        error={errors.at('codePrefix')}
        value={codePrefix}
        maxLength={CODE_PREFIX_MAX}
        placeholder="promo-"
        className="font-mono"
        onText={(text) => setCodePrefix(text.replaceAll(/[^A-Za-z0-9_-]/g, ''))}
      />
    </FormDialog>
  );
}

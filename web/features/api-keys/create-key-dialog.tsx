import { useState } from 'react';
import { CODE_PREFIX_MAX, SCOPES, SCOPE_TEXTS, type CreatedApiKey } from '#contract/api-keys.ts';
import { DAY_MS } from '#contract/time.ts';
import { serverErrors } from '#web/shared/server-errors.ts';
import { CheckboxGroup } from '#web/ui/checkbox-group.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useCreateKey } from './queries.ts';

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
  const create = useCreateKey(onCreated);
  const errors = serverErrors(create.error, ['name', 'scopes', 'expiresAt', 'codePrefix']);
  const submit = (): void => {
    const found = {
      ...(name.trim() === '' && { name: 'Enter a name for the key.' }),
      ...(scopes.length === 0 && { scopes: 'Choose at least one.' }),
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
      error={create.error}
      message={errors.rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What will use the key, so that you recognise it later."
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

import { useEffect, useRef, useState } from 'react';
import {
  CODE_PREFIX_MAX,
  SCOPES,
  SCOPE_TEXTS,
  type CreatedApiKey,
  type Scope,
} from '#contract/api-keys.ts';
import { DAY_MS } from '#contract/time.ts';
import { errorField } from '#web/shared/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, focusFirstError, focusFirstErrorSoon } from '#web/ui/field.tsx';
import { Input, Select } from '#web/ui/input.tsx';
import { useCreateKey } from './queries.ts';

/** Lifetimes in days; 0 for a key without an end. */
const LIFETIMES = [
  { days: 0, label: 'Never' },
  { days: 30, label: 'In 30 days' },
  { days: 90, label: 'In 90 days' },
  { days: 365, label: 'In a year' },
];

/** Asks for a name, scopes, an end and a prefix. `onCreated` gets the key with its secret. */
export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (key: CreatedApiKey) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['links:read', 'links:write']);
  const [days, setDays] = useState(0);
  const [codePrefix, setCodePrefix] = useState('');
  const [invalid, setInvalid] = useState<{ name?: string; scopes?: string }>({});
  const form = useRef<HTMLFormElement>(null);
  const create = useCreateKey(onCreated);
  useEffect(() => {
    if (create.error !== null) focusFirstError(form.current);
  }, [create.error]);
  const field = errorField(create.error).split('.')[0];
  const serverError = (of: string): string | undefined =>
    field === of ? create.error?.message : undefined;
  const submit = (element: HTMLFormElement): void => {
    const errors = {
      ...(name.trim() === '' ? { name: 'Enter a name for the key.' } : {}),
      ...(scopes.length === 0 ? { scopes: 'Choose at least one.' } : {}),
    };
    setInvalid(errors);
    if (Object.keys(errors).length > 0) {
      focusFirstErrorSoon(element);
      return;
    }
    create.mutate({
      name,
      scopes: [...scopes],
      expiresAt: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      codePrefix: codePrefix === '' ? null : codePrefix,
    });
  };
  const scopeError = invalid.scopes ?? serverError('scopes');
  return (
    <Dialog open onClose={onClose} title="Create API key">
      <form
        ref={form}
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <Field
          label="Name"
          hint="What will use the key, so that you recognise it later."
          error={invalid.name ?? serverError('name')}
        >
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={50}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="space-y-2.5">
          <legend className="mb-1.5 text-13 font-medium text-ink">What it may do</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              label={SCOPE_TEXTS[scope].name}
              hint={SCOPE_TEXTS[scope].detail}
              checked={scopes.includes(scope)}
              aria-invalid={scopeError === undefined ? undefined : true}
              onChange={(event) =>
                setScopes((before) =>
                  event.target.checked
                    ? [...before, scope]
                    : before.filter((other) => other !== scope),
                )
              }
            />
          ))}
          {scopeError !== undefined && (
            <p role="alert" className="text-13 text-bad">
              {scopeError}
            </p>
          )}
        </fieldset>
        <Field label="Expires" error={serverError('expiresAt')}>
          {(control) => (
            <Select
              {...control}
              value={days}
              onChange={(event) => setDays(Number(event.target.value))}
            >
              {LIFETIMES.map(({ days: value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Code prefix (optional)"
          hint="The key creates and sees only links whose code starts with this, and sets no tags."
          error={serverError('codePrefix')}
        >
          {(control) => (
            <Input
              {...control}
              value={codePrefix}
              maxLength={CODE_PREFIX_MAX}
              placeholder="promo-"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
              onChange={(event) =>
                setCodePrefix(event.target.value.replaceAll(/[^A-Za-z0-9_-]/g, ''))
              }
            />
          )}
        </Field>
        {create.error !== null && field === '' && (
          <p role="alert" className="text-13 text-bad">
            {create.error.message}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={create.isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

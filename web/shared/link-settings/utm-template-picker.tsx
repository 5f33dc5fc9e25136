import { useEffect, useRef, useState } from 'react';
import { UTM_TEMPLATE_NAME_MAX } from '#contract/limits.ts';
import {
  UTM_FIELDS,
  type UtmTemplate,
  type UtmTemplatesResponse,
} from '#contract/presets/utm-templates.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { isOffline, useRetryOnline } from '#web/ui/offline.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { api } from '#web/shared/api/api.ts';
import type { UtmValues } from './utm.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';

const PATH = '/api/utm-templates';
const post = (body: UtmValues & { name: string }) =>
  api<UtmTemplate>(PATH, { method: 'POST', body });
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Try again.';

/** The member's saved UTM values: apply them, save the current ones under a name, delete them. */
export function UtmTemplatePicker({
  values,
  onChoose,
}: {
  values: UtmValues;
  onChoose: (values: Partial<UtmValues>) => void;
}) {
  const [chosenId, setChosenId] = useState(0);
  const [naming, setNaming] = useState(false);
  const list = useAsyncAction(() => api<UtmTemplatesResponse>(PATH));
  const { run: load } = list;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: `run` is another function at every render.
  useEffect(() => load(undefined), []);
  const templates = list.data?.templates ?? [];
  const chosen = templates.find(({ id }) => id === chosenId);
  const remove = useAsyncAction(
    (template: UtmTemplate) =>
      api(`${PATH}/${template.id}`, { method: 'DELETE' }).then(() => template),
    (template) => {
      setChosenId(0);
      load(undefined);
      const restore = (): void =>
        void post(template).then(
          () => load(undefined),
          (error: unknown) => toast(messageOf(error), { tone: 'bad' }),
        );
      toast('Template deleted.', { action: { label: 'Undo', onSelect: restore } });
    },
  );
  const choose = (id: number): void => {
    setChosenId(id);
    const template = templates.find((one) => one.id === id);
    // Values that the template does not set stay unchanged.
    if (template !== undefined)
      onChoose(
        Object.fromEntries(
          UTM_FIELDS.flatMap((field) => (template[field] === '' ? [] : [[field, template[field]]])),
        ),
      );
  };
  if (list.error !== null)
    return (
      <ErrorLine
        message="Your templates could not be loaded."
        query={{ refetch: () => load(undefined) }}
      />
    );
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-48">
          <SelectField
            label="Template"
            error={remove.error === null ? undefined : messageOf(remove.error)}
            choices={[
              [0, templates.length === 0 ? 'No templates yet' : 'Choose a template'],
              ...templates.map(({ id, name }) => [id, name] as const),
            ]}
            value={chosenId}
            disabled={list.data === null}
            onSelect={(id) => choose(Number(id))}
          />
        </div>
        {chosen !== undefined && (
          <Button pending={remove.pending} onClick={() => remove.run(chosen)}>
            Delete template
          </Button>
        )}
        <Button
          disabled={UTM_FIELDS.every((field) => values[field] === '')}
          aria-expanded={naming}
          onClick={() => setNaming(!naming)}
        >
          Save as template
        </Button>
      </div>
      {naming && (
        <NameForm
          initialName={chosen?.name ?? ''}
          values={values}
          onClose={() => setNaming(false)}
          onSaved={({ id }) => {
            setNaming(false);
            setChosenId(id);
            load(undefined);
            toast('Template saved.');
          }}
        />
      )}
    </div>
  );
}

/** This is not a form element, because it is inside the form of a link. */
function NameForm({
  initialName,
  values,
  onSaved,
  onClose,
}: {
  initialName: string;
  values: UtmValues;
  onSaved: (template: UtmTemplate) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(initialName);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const save = useAsyncAction(post, onSaved);
  const required = useRequired({ name: name.trim() === '' && 'Enter a name.' });
  const submit = (): void => {
    if (!required.check()) input.current?.focus();
    else if (!save.pending) save.run({ ...values, name });
  };
  useRetryOnline(isOffline(save.error), submit);
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-48">
        <TextField
          label="Name of the template"
          error={required.at('name') || (save.error === null ? undefined : messageOf(save.error))}
          hint="A template with the same name is replaced."
          ref={input}
          value={name}
          maxLength={UTM_TEMPLATE_NAME_MAX}
          autoComplete="off"
          onText={setName}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            submit();
          }}
        />
      </div>
      <div className="flex gap-2">
        <Button variant="primary" pending={save.pending} onClick={submit}>
          Save template
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  );
}

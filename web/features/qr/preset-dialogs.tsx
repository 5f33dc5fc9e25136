import { useState, type ReactNode } from 'react';
import { QR_PRESET_NAME_MAX } from '#contract/limits.ts';
import type { QrPreset } from '#contract/presets/qr-presets.ts';
import { toast } from '#web/ui/announcer.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import type { Design } from './design-panel.tsx';
import { useChangePreset, useCreatePreset, useDeletePreset } from './queries.ts';

export function SavePresetDialog({
  design,
  onSaved,
  onClose,
}: {
  design: Design;
  onSaved: (preset: QrPreset) => void;
  onClose: () => void;
}) {
  const create = useCreatePreset((preset) => {
    toast('Preset saved.');
    onSaved(preset);
  });
  return (
    <NameDialog
      title="Save as preset"
      action="Save preset"
      initial=""
      pending={create.isPending}
      error={create.error}
      onSubmit={(name) => create.mutate({ name, ...design })}
      onClose={onClose}
    >
      <p className="text-14 text-ink-2">
        {design.logo === ''
          ? 'Keeps this design in your account.'
          : 'Keeps this design and its logo in your account.'}
      </p>
    </NameDialog>
  );
}

export function RenamePresetDialog({ preset, onClose }: { preset: QrPreset; onClose: () => void }) {
  const change = useChangePreset(() => {
    toast('Preset renamed.');
    onClose();
  });
  return (
    <NameDialog
      title="Rename preset"
      action="Rename preset"
      initial={preset.name}
      pending={change.isPending}
      error={change.error}
      onSubmit={(name) => change.mutate({ id: preset.id, name })}
      onClose={onClose}
    />
  );
}

export function DeletePresetDialog({
  preset,
  onDeleted,
  onClose,
}: {
  preset: QrPreset;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const remove = useDeletePreset(() => {
    toast('Preset deleted.');
    onDeleted();
  });
  return (
    <ConfirmDialog
      open
      title={`Delete “${preset.name}”?`}
      action="Delete preset"
      pending={remove.isPending}
      error={remove.error?.message ?? ''}
      onConfirm={() => remove.mutate(preset.id)}
      onClose={onClose}
    >
      <p>Codes that you have downloaded or printed keep working.</p>
    </ConfirmDialog>
  );
}

function NameDialog({
  title,
  action,
  initial,
  pending,
  error,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  action: string;
  initial: string;
  pending: boolean;
  error: Error | null;
  onSubmit: (name: string) => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const [name, setName] = useState(initial);
  const required = useRequired({ name: name.trim() === '' && 'Enter a name.' });
  return (
    <FormDialog
      title={title}
      action={action}
      pending={pending}
      errors={{ error, rest: '' }}
      onSubmit={() => required.check() && onSubmit(name)}
      onClose={onClose}
    >
      {children}
      <TextField
        label="Name"
        error={required.at('name') || error?.message}
        value={name}
        maxLength={QR_PRESET_NAME_MAX}
        autoComplete="off"
        onText={setName}
      />
    </FormDialog>
  );
}

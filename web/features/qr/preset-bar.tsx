import { Ellipsis, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { QR_PRESETS_MAX } from '#contract/limits.ts';
import type { QrPreset } from '#contract/presets/qr-presets.ts';
import { toast, toastFailure } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import type { Design } from './design-panel.tsx';
import { DeletePresetDialog, RenamePresetDialog, SavePresetDialog } from './preset-dialogs.tsx';
import { useChangePreset } from './queries.ts';

export function PresetBar({
  presets,
  current,
  design,
  onChoose,
}: {
  presets: readonly QrPreset[];
  current: QrPreset | undefined;
  design: Design;
  /** Applies a preset; null applies a plain code. */
  onChoose: (preset: QrPreset | null) => void;
}) {
  const [open, setOpen] = useState<'save' | 'rename' | 'delete' | null>(null);
  const close = (): void => setOpen(null);
  const saveChanges = useChangePreset(() => toast('Preset saved.'));
  const setDefault = useChangePreset(({ isDefault }) =>
    toast(isDefault ? 'The studio opens with this preset.' : 'The studio opens with a plain code.'),
  );
  const isChanged = current !== undefined && !isSameDesign(design, current);
  const isFull = presets.length >= QR_PRESETS_MAX;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <SelectField
          label="Preset"
          choices={[
            ['', 'Plain'],
            ...presets.map(
              ({ id, name, isDefault }) => [id, isDefault ? `${name} (default)` : name] as const,
            ),
          ]}
          value={current?.id ?? ''}
          onSelect={(value) => onChoose(presets.find(({ id }) => String(id) === value) ?? null)}
        />
      </div>
      {isChanged && (
        <Button
          pending={saveChanges.isPending}
          onClick={() =>
            saveChanges.mutate(
              { id: current.id, ...design },
              { onError: (error) => toastFailure(error) },
            )
          }
        >
          Save changes
        </Button>
      )}
      <Button disabled={isFull} onClick={() => setOpen('save')}>
        Save as preset…
      </Button>
      {current !== undefined && (
        <Menu
          label={`More actions for the preset ${current.name}`}
          tooltip="More actions"
          items={[
            {
              label: 'Rename',
              icon: <Pencil />,
              onSelect: () => setOpen('rename'),
            },
            {
              label: current.isDefault ? 'Stop using as default' : 'Use as default',
              icon: current.isDefault ? <PinOff /> : <Pin />,
              onSelect: () =>
                setDefault.mutate(
                  { id: current.id, isDefault: !current.isDefault },
                  { onError: (error) => toastFailure(error) },
                ),
            },
            {
              label: 'Delete preset',
              icon: <Trash2 />,
              danger: true,
              onSelect: () => setOpen('delete'),
            },
          ]}
        >
          <Ellipsis className="size-4" />
        </Menu>
      )}
      {isFull && (
        <p className="basis-full text-13 text-ink-3">
          You have {QR_PRESETS_MAX} presets, as many as an account can have.
        </p>
      )}
      {open === 'save' && (
        <SavePresetDialog
          design={design}
          onSaved={(preset) => {
            onChoose(preset);
            close();
          }}
          onClose={close}
        />
      )}
      {open === 'rename' && current !== undefined && (
        <RenamePresetDialog preset={current} onClose={close} />
      )}
      {open === 'delete' && current !== undefined && (
        <DeletePresetDialog
          preset={current}
          onDeleted={() => {
            onChoose(null);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

const isSameDesign = (one: Design, other: Design): boolean =>
  partsOf(one).join(' ') === partsOf(other).join(' ');

const partsOf = ({ logo, style }: Design) => [
  logo,
  style.modules,
  style.eyes,
  style.foreground,
  style.background,
  style.margin,
  style.logoSize,
];

import { ImagePlus, Trash2 } from 'lucide-react';
import { useId, useRef } from 'react';
import { QR_LOGO_SIZES, type QrStyle } from '#contract/presets/qr-presets.ts';
import { useAsyncAction } from '#web/shared/page/use-async-action.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import type { CorrectionLevel } from './draw-qr.ts';
import { LOGO_TYPES, readLogo, type LogoResult } from './read-logo.ts';
import { ErrorText } from '#web/ui/error-text.tsx';

/** The share of a code that each level restores (ISO/IEC 18004). */
const LEVELS: Readonly<Record<CorrectionLevel, string>> = {
  M: 'M (15%)',
  Q: 'Q (25%)',
  H: 'H (30%)',
};
const SIZE_LABELS: Readonly<Record<QrStyle['logoSize'], string>> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
};

export function LogoField({
  logo,
  size,
  level,
  onLogo,
  onSize,
}: {
  logo: string;
  size: QrStyle['logoSize'];
  level: CorrectionLevel;
  onLogo: (logo: string) => void;
  onSize: (size: QrStyle['logoSize']) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const read = useAsyncAction(readLogo, (result: LogoResult) => {
    if (result.ok) onLogo(result.logo);
  });
  const message = read.data?.ok === false ? read.data.message : '';
  return (
    <fieldset aria-describedby={`${id}-hint`} className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">Logo (optional)</legend>
      <div className="flex flex-wrap items-end gap-3">
        <input
          ref={input}
          type="file"
          hidden
          accept={LOGO_TYPES.join(',')}
          aria-label="Logo file"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) read.run(file);
            // Without this, the same file could not be chosen again.
            event.target.value = '';
          }}
        />
        {logo !== '' && (
          <img
            src={logo}
            alt="Your logo"
            className="size-9 rounded-md border border-line bg-paper object-contain p-0.5 pointer-coarse:size-11"
          />
        )}
        <Button ref={button} pending={read.pending} onClick={() => input.current?.click()}>
          <ImagePlus className="size-4" />
          {logo === '' ? 'Choose logo' : 'Replace logo'}
        </Button>
        {logo !== '' && (
          <>
            <Button
              variant="ghost"
              onClick={() => {
                onLogo('');
                read.reset();
                button.current?.focus();
              }}
            >
              <Trash2 className="size-4" />
              Remove logo
            </Button>
            <div className="w-36">
              <SelectField
                label="Logo size"
                choices={QR_LOGO_SIZES.map((known) => [known, SIZE_LABELS[known]])}
                value={size}
                onSelect={(value) => onSize(QR_LOGO_SIZES.find((known) => known === value) ?? size)}
              />
            </div>
          </>
        )}
      </div>
      <ErrorText className="mt-1.5">{message}</ErrorText>
      <p id={`${id}-hint`} className="mt-1.5 text-13 text-ink-3">
        PNG, JPEG, WebP or SVG, up to 2 MB. It stays in your browser unless you save it in a preset.{' '}
        {logo === ''
          ? `Error correction: ${LEVELS[level]}.`
          : `Error correction for this size: ${LEVELS[level]}.`}
      </p>
    </fieldset>
  );
}

import { QR_MARGIN_MAX } from '#contract/limits.ts';
import type { QrStyle } from '#contract/presets/qr-presets.ts';
import { numberFormat, plural } from '#contract/language.ts';
import { Panel } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ColorField } from './color-field.tsx';
import type { CorrectionLevel } from './draw-qr.ts';
import { LogoField } from './logo-field.tsx';
import type { Readability } from './readability.ts';
import { EYE_OPTIONS, MODULE_OPTIONS, ShapeField } from './shape-field.tsx';

const formatContrast = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The look of a QR code. `logo` is a PNG image as a `data:` URL, or ''. */
export type Design = { style: QrStyle; logo: string };

export function DesignPanel({
  design: { style, logo },
  level,
  readability,
  onChange,
}: {
  design: Design;
  level: CorrectionLevel;
  readability: Readability;
  onChange: (design: Design) => void;
}) {
  const set = (change: Partial<QrStyle>): void =>
    onChange({ style: { ...style, ...change }, logo });
  return (
    <Panel title="Design">
      <div className="space-y-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <ShapeField
            legend="Modules"
            name="modules"
            options={MODULE_OPTIONS}
            value={style.modules}
            onChange={(modules) => set({ modules })}
          />
          <ShapeField
            legend="Eyes"
            name="eyes"
            options={EYE_OPTIONS}
            value={style.eyes}
            onChange={(eyes) => set({ eyes })}
          />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <ColorField
            label="Code color"
            value={style.foreground}
            onChange={(foreground) => set({ foreground })}
          />
          <ColorField
            label="Background color"
            value={style.background}
            onChange={(background) => set({ background })}
          />
        </div>
        <Field
          label="Margin"
          action={
            <span className="text-13 text-ink-2 tabular-nums">
              {plural(style.margin, 'module')}
            </span>
          }
        >
          {(control) => (
            <input
              {...control}
              type="range"
              min={0}
              max={QR_MARGIN_MAX}
              value={style.margin}
              aria-valuetext={plural(style.margin, 'module')}
              className="block h-9 w-full accent-accent pointer-coarse:h-11"
              onChange={(event) => set({ margin: event.target.valueAsNumber })}
            />
          )}
        </Field>
        <LogoField
          logo={logo}
          size={style.logoSize}
          level={level}
          onLogo={(next) => onChange({ style, logo: next })}
          onSize={(logoSize) => set({ logoSize })}
        />
        <Verdict readability={readability} />
      </div>
    </Panel>
  );
}

function Verdict({ readability: { contrast, blocked, warnings } }: { readability: Readability }) {
  if (blocked !== null)
    return (
      <Notice tone="bad">
        <p>{blocked}</p>
      </Notice>
    );
  if (warnings.length > 0)
    return (
      <Notice tone="warn">
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </Notice>
    );
  return <p className="text-13 text-ink-3">Contrast {formatContrast(contrast)}:1. Easy to scan.</p>;
}

import { useMemo, useState } from 'react';
import type { ListedLink } from '#contract/links/links.ts';
import { PLAIN_QR, type QrPreset } from '#contract/presets/qr-presets.ts';
import { config } from '#web/shared/page/config.ts';
import { codeOf } from '#web/shared/texts/format.ts';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DesignPanel, type Design } from './design-panel.tsx';
import { drawQr } from './draw-qr.ts';
import { QrExportPanel } from './export-panel.tsx';
import { PresetBar } from './preset-bar.tsx';
import { addMark } from './qr-mark.ts';
import { styledQrSvg } from './qr-svg.ts';
import { checkReadability } from './readability.ts';

const PLAIN: Design = { style: PLAIN_QR, logo: '' };
const designOf = ({ style, logo }: QrPreset): Design => ({ style, logo });

export function QrStudio({ link, presets }: { link: ListedLink; presets: readonly QrPreset[] }) {
  const [start] = useState(() => presets.find(({ isDefault }) => isDefault));
  const [design, setDesign] = useState<Design>(() =>
    start === undefined ? PLAIN : designOf(start),
  );
  const [presetId, setPresetId] = useState<number | null>(start?.id ?? null);
  const { style, logo } = design;
  const [hasMark, setHasMark] = useState(false);
  const drawing = useMemo(() => {
    const drawn = drawQr(link.short_url, style, logo);
    return hasMark ? addMark(drawn, style.margin) : drawn;
  }, [link.short_url, style, logo, hasMark]);
  const readability = checkReadability(style);
  const choose = (preset: QrPreset | null): void => {
    setPresetId(preset?.id ?? null);
    setDesign(preset === null ? PLAIN : designOf(preset));
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      <Card className="p-4 max-lg:sticky max-lg:top-16 max-lg:z-10 lg:col-start-2 lg:row-start-1">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(styledQrSvg(drawing))}`}
          alt={`QR code for the short URL ${codeOf(link.short_url)}`}
          className="mx-auto block h-32 rounded-md border border-line lg:h-auto lg:w-72"
        />
      </Card>
      <div className="min-w-0 space-y-4 lg:col-start-1 lg:row-span-2 lg:row-start-1">
        <PresetBar
          presets={presets}
          current={presets.find(({ id }) => id === presetId)}
          design={design}
          onChoose={choose}
        />
        <DesignPanel
          design={design}
          level={drawing.level}
          readability={readability}
          onChange={setDesign}
        />
      </div>
      <QrExportPanel code={codeOf(link.short_url)} drawing={drawing} blocked={readability.blocked}>
        <Checkbox
          label={`Show the mark of ${config.siteName} under the code`}
          checked={hasMark}
          onChange={({ target }) => setHasMark(target.checked)}
        />
      </QrExportPanel>
    </div>
  );
}

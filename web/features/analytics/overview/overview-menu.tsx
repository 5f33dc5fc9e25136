import { ChartSpline, Ellipsis, FileDown, Printer } from 'lucide-react';
import type { OverviewResponse } from '#contract/reports/overview.ts';
import { EXPORT_FORMATS, useExport } from '#web/features/analytics/use-export.ts';
import { Menu } from '#web/ui/menu.tsx';
import { COMPARED_MAX, type ComparedKind } from './use-compared.ts';

/** Compares, exports and prints. `search` is the query of the overview's request. */
export function OverviewMenu({
  overview,
  search,
  onCompare,
}: {
  overview: OverviewResponse | undefined;
  search: string;
  onCompare: (kind: ComparedKind) => void;
}) {
  const download = useExport(`/api/overview/export?${search}`, `overview-${fileName(overview)}`);
  return (
    <div className="print:hidden">
      <Menu
        label="More actions for the overview"
        items={[
          {
            label: `Compare up to ${COMPARED_MAX.links} links`,
            icon: <ChartSpline />,
            onSelect: () => onCompare('links'),
          },
          {
            label: `Compare ${COMPARED_MAX.tags} tags`,
            icon: <ChartSpline />,
            onSelect: () => onCompare('tags'),
          },
          ...(overview?.advanced === true
            ? EXPORT_FORMATS.map((format) => ({
                label: `Download ${format.toUpperCase()}`,
                icon: <FileDown />,
                onSelect: () => download(format),
              }))
            : []),
          { label: 'Print overview', icon: <Printer />, onSelect: () => window.print() },
        ]}
      >
        <Ellipsis className="size-4" />
      </Menu>
    </div>
  );
}

const fileName = (overview: OverviewResponse | undefined): string =>
  overview === undefined
    ? ''
    : overview.range === 'custom'
      ? `${overview.period.from ?? ''}-${overview.period.to}`
      : overview.range;

import { RankedList } from '#web/features/analytics/grid/ranked-list.tsx';

/**
 * Shows invented names and clicks like a list of Analytics. `total` includes rows that are not
 * shown.
 */
export function SampleRows({
  rows,
  total,
}: {
  rows: readonly (readonly [name: string, clicks: number])[];
  total?: number;
}) {
  const counts = rows.map(([, clicks]) => clicks);
  return (
    <RankedList
      rows={rows.map(([name, clicks]) => ({
        key: name,
        text: name,
        clicks,
        chosen: false,
        onChoose: null,
      }))}
      total={total ?? counts.reduce((sum, clicks) => sum + clicks, 0)}
      largest={Math.max(...counts)}
    />
  );
}

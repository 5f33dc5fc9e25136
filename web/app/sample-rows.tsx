import { RankedList } from '#web/features/analytics/grid/ranked-list.tsx';

/**
 * Invented names and clicks, as a list of Analytics shows them. `total` includes what the list
 * leaves out.
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

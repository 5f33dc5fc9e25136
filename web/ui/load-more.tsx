import { Button } from './button.tsx';

/** The end of a paginated list: how many rows are shown, and a button unless `onMore` is null. */
export function LoadMore({
  onMore,
  pending,
  shown,
}: {
  onMore: (() => void) | null;
  pending: boolean;
  shown: string;
}) {
  return (
    <div className="flex flex-col items-center gap-3 py-5">
      <p className="text-13 text-ink-3 tabular-nums">{shown}</p>
      {onMore !== null && (
        <Button pending={pending} onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

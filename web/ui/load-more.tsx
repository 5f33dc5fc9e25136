import { Button } from './button.tsx';

type NextPage = { isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/**
 * The end of a paginated list: how many rows are shown, and a button that loads the `next` ones
 * unless it is null.
 */
export function LoadMore({ shown, next }: { shown: string; next: NextPage | null }) {
  return (
    <div className="flex flex-col items-center gap-3 py-5">
      <p className="text-13 text-ink-3 tabular-nums">{shown}</p>
      {next !== null && (
        <Button pending={next.isFetchingNextPage} onClick={() => void next.fetchNextPage()}>
          Load more
        </Button>
      )}
    </div>
  );
}

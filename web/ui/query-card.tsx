import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { ErrorLine, type Retry } from './error-line.tsx';
import { FailedState } from './failed-state.tsx';
import { Loading } from './skeleton.tsx';

type LoadedQuery<Data> = Retry & { data: Data | undefined; isError: boolean };

/** Shows a query's data in a card. If a reload failed, a line above the card says so. */
export function QueryCard<Data>({
  query,
  failure,
  skeleton,
  children,
}: {
  query: LoadedQuery<Data>;
  failure: string;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, isError } = query;
  return (
    <>
      {isError && data !== undefined && (
        <div className="mb-4">
          <ErrorLine message={failure} query={query} />
        </div>
      )}
      <Card>
        {data !== undefined && children(data)}
        {data === undefined && (isError ? <FailedState title={failure} query={query} /> : skeleton)}
      </Card>
    </>
  );
}

export function QueryContent<Data>({
  query,
  failure,
  loading,
  skeleton,
  children,
}: {
  query: LoadedQuery<Data>;
  failure: string;
  loading: string;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, isError } = query;
  return (
    <>
      {data === undefined && !isError && <Loading label={loading}>{skeleton}</Loading>}
      {isError && <ErrorLine message={failure} query={query} />}
      {data !== undefined && children(data)}
    </>
  );
}

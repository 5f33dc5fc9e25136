import type { ReactNode } from 'react';
import { ErrorLine, type Retry } from './error-line.tsx';
import { Loading } from './skeleton.tsx';

/** Shows a query's data. If a reload failed, a line above it says so. */
export function QueryContent<Data>({
  query,
  failure,
  loading,
  skeleton,
  children,
}: {
  query: Retry & { data: Data | undefined; isError: boolean };
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

import { createContext, Suspense, use, useReducer, type ComponentType } from 'react';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';

const RetryField = createContext((): void => undefined);

/** A field whose code loads when it first shows. If that fails, a line says so and offers Retry. */
export function lazyField<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Field = lazyOr(load, LoadError);
  return function LazyField(props: Props) {
    const [tries, retry] = useReducer((count: number) => count + 1, 0);
    return (
      <RetryField value={retry}>
        <Suspense key={tries} fallback={<div className="h-8 pointer-coarse:h-11" />}>
          <Field {...props} />
        </Suspense>
      </RetryField>
    );
  };
}

function LoadError() {
  const retry = use(RetryField);
  return (
    <ErrorLine
      message="Some fields didn’t load. If Retry doesn’t help, reload the page."
      query={{ refetch: retry }}
    />
  );
}

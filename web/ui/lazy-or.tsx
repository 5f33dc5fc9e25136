import { lazy, useEffect, useState, type ComponentType } from 'react';

/**
 * A component whose code loads when it first renders. If that fails, `Fallback` or nothing shows;
 * the next time the component is mounted, its code loads again.
 */
export function lazyOr<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props> = () => null,
) {
  const create = () =>
    lazy(() =>
      load().then(
        (loaded) => ({ default: loaded }),
        () => ({ default: Failed }),
      ),
    );
  let newest = create();
  function Failed(props: Props) {
    useEffect(() => {
      newest = create();
    }, []);
    return <Fallback {...props} />;
  }
  return function LazyPart(props: Props) {
    const [Part] = useState(() => newest);
    return <Part {...props} />;
  };
}

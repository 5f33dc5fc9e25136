import { useLayoutEffect, useRef, type ComponentProps } from 'react';
import { recoverFocus } from './use-heading-focus.ts';
import { Button } from './button.tsx';

/**
 * A button that disappears after its action succeeds. The focus then moves to the page's heading.
 */
export function VanishingButton(props: Omit<ComponentProps<typeof Button>, 'ref'>) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => recoverFocus(element);
  }, []);
  return <Button {...props} ref={button} />;
}

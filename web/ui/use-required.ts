import { useState } from 'react';

/**
 * What a form needs before it can be sent, as messages for its fields: `{ name: name === '' &&
 * 'Enter a name.' }`. A message appears when the form is sent without the value, and stays until
 * the value is there.
 */
export function useRequired<Name extends string>(missing: Readonly<Record<Name, string | false>>) {
  const [isShown, setShown] = useState(false);
  return {
    at: (name: Name): string => (isShown && missing[name]) || '',
    /** Shows what is missing. Returns whether nothing is. */
    check: (): boolean => {
      const isComplete = Object.values(missing).every((message) => message === false);
      setShown(!isComplete);
      return isComplete;
    },
  };
}

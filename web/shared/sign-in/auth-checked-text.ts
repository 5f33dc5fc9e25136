import { useState } from 'react';

export type CheckedText = {
  text: string;
  /** Shows the error, if there is one. Returns true if the text is valid. */
  check: () => boolean;
  field: { value: string; error: string; onText: (typed: string) => void };
};

/**
 * The text of a field whose error shows after `check` and disappears while the user types.
 * `errorOf` returns '' for a valid text; `clean` converts the typed text to the one that is sent.
 */
export function useCheckedText(
  errorOf: (text: string) => string = () => '',
  clean = (typed: string): string => typed,
  initial = '',
): CheckedText {
  const [value, setValue] = useState(initial);
  const [error, setError] = useState('');
  const text = clean(value);
  return {
    text,
    check: () => {
      const found = errorOf(text);
      setError(found);
      return found === '';
    },
    field: {
      value,
      error,
      onText: (typed) => {
        setValue(typed);
        setError('');
      },
    },
  };
}

import { useErrorText } from './offline.ts';

/** The text of an error, inside of what shows it. In a form it says what happens offline. */
export const ErrorMessage = ({ children }: { children: string }) => useErrorText(children);

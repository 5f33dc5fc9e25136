import type { ComponentProps } from 'react';
import { TextField } from '#web/ui/text-field.tsx';

/** The email field of a sign-in form. */
export const EmailField = (props: Omit<ComponentProps<typeof TextField>, 'label'>) => (
  <TextField label="Email" type="email" name="email" autoComplete="email" {...props} />
);

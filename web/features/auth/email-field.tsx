import type { ComponentProps } from 'react';
import { TextField } from '#web/ui/text-field.tsx';

export const EmailField = (props: Omit<ComponentProps<typeof TextField>, 'label'>) => (
  <TextField label="Email" type="email" name="email" autoComplete="email" {...props} />
);

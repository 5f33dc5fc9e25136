import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { PASSWORD_MIN } from '#contract/limits.ts';
import { authClient } from '#web/shared/session.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

/** A new password; every other session of the member ends with the old one. */
export function PasswordPanel() {
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: async () => {
      const { error } = await (await authClient()).auth.updateUser({ password });
      if (error !== null) throw error;
    },
    onSuccess: () => {
      setPassword('');
      toast('Password changed.', { note: 'Your other devices have been signed out.' });
    },
  });
  return (
    <Panel title="Password" hint="Changing it signs your other devices out.">
      <form
        className="flex max-w-form flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Field
          label="New password"
          hint={`At least ${PASSWORD_MIN} characters.`}
          error={change.isError ? change.error.message : ''}
        >
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="new-password"
              minLength={PASSWORD_MIN}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" pending={change.isPending} disabled={password.length < PASSWORD_MIN}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  );
}

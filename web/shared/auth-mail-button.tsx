import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { authErrorMessage } from './auth-api.ts';
import { useCaptcha } from './captcha.tsx';
import { useAsyncAction } from './use-async-action.ts';

/** A button that has the service send a mail, with the captcha where one is configured and what went wrong below it. */
export function MailButton({
  onSend,
  onSent,
  variant = 'secondary',
  children,
}: {
  onSend: (captchaToken: string) => Promise<void>;
  onSent: () => void;
  variant?: 'primary' | 'secondary';
  children: ReactNode;
}) {
  const captcha = useCaptcha();
  const call = useAsyncAction(
    () => onSend(captcha.token).finally(captcha.renew),
    () => onSent(),
  );
  return (
    <div className="space-y-2">
      {captcha.box}
      <Button variant={variant} pending={call.pending} disabled={!captcha.ready} onClick={() => call.run(undefined)}>
        {children}
      </Button>
      {call.error !== null && (
        <p role="alert" className="text-13 text-bad">
          {authErrorMessage(call.error)}
        </p>
      )}
    </div>
  );
}

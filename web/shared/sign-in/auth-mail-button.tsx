import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { authErrorMessage } from './auth-api.ts';
import { useCaptchaAction } from './captcha.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';

/**
 * A button that sends a mail. Shows the captcha, if one is configured, and any error below the
 * button.
 */
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
  const { captcha, ...send } = useCaptchaAction(onSend, onSent);
  return (
    <div className="space-y-2">
      {captcha.widget}
      <Button
        variant={variant}
        pending={send.pending}
        disabled={!captcha.isReady}
        onClick={() => send.run()}
      >
        {children}
      </Button>
      {send.error !== null && <ErrorText>{authErrorMessage(send.error)}</ErrorText>}
    </div>
  );
}

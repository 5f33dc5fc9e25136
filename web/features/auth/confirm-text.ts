import type { MailLinkDetails } from './describe-link.ts';

/**
 * `hint` names the account below the title, because an email address would break a large title in
 * the middle.
 */
export type ConfirmText = { title: string; hint: string; lines: readonly string[]; button: string };

export function confirmText({ type, email, keepsPassword }: MailLinkDetails): ConfirmText {
  const hint = email === '' ? '' : `For ${email}.`;
  if (type === 'signup')
    return {
      title: 'Confirm your email address',
      hint,
      lines: [
        keepsPassword
          ? 'This confirms that the address is yours and signs you in.'
          : 'This confirms that the address is yours and signs you in. Then you choose a password: the one from the sign-up was entered in another browser, so it is not kept.',
        'If you did not create an account, close this page. Nothing happens until you press the button.',
      ],
      button: 'Confirm and sign in',
    };
  if (type === 'secure')
    return {
      title: 'Did someone else change your password?',
      hint,
      lines: [
        'If you did not change your password, continue. This signs out every device and disables the new password at once. Then you choose another one.',
        'If you changed it yourself, close this page. Nothing happens until you press the button.',
      ],
      button: 'Sign out everywhere and continue',
    };
  return {
    title: 'Choose a new password',
    hint,
    lines: [
      keepsPassword
        ? 'This signs you in and lets you choose a new password. Your current password works until you save the new one.'
        : 'This confirms that the address is yours, signs you in and lets you choose a password.',
      'If you did not request this, close this page. Nothing happens until you press the button.',
    ],
    button: 'Continue',
  };
}

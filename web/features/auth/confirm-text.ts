import type { MailLinkDetails } from './describe-link.ts';

/** `hint` names the account below the title: an address would break a large title in the middle. */
export type ConfirmText = { title: string; hint: string; lines: readonly string[]; button: string };

/** What the page says about a link before it is used: whom it is for and what the button does. */
export function confirmText({ type, email, keepsPassword }: MailLinkDetails): ConfirmText {
  const hint = email === '' ? '' : `For ${email}.`;
  if (type === 'signup')
    return {
      title: 'Confirm your email address',
      hint,
      lines: [
        keepsPassword
          ? 'This confirms that the address is yours and signs you in.'
          : 'This confirms that the address is yours and signs you in. Then you choose a password, because the one from the sign-up was typed in another browser and is not kept.',
        'If you did not create an account, close this page. Nothing happens until you press the button.',
      ],
      button: 'Confirm and sign in',
    };
  if (type === 'secure')
    return {
      title: 'Someone changed your password?',
      hint,
      lines: [
        `If you did not change the password, continue. This signs out every device and ends the new password at once. Then you choose your own.`,
        'If you changed it yourself, close this page. Nothing happens until you press the button.',
      ],
      button: 'Sign out everywhere and continue',
    };
  return {
    title: 'Choose a new password',
    hint,
    lines: [
      keepsPassword
        ? 'This signs you in and lets you choose a new password. The current one works until you save the new one.'
        : 'This confirms that the address is yours, signs you in and lets you choose a password.',
      'If you did not ask for this, close this page. Nothing happens until you press the button.',
    ],
    button: 'Continue',
  };
}

import { uniqueName } from '#contract/common-schemas.ts';
import { PASSKEY_NAME_MAX } from './passkeys.ts';

export const passkeyName = uniqueName('passkey', PASSKEY_NAME_MAX, 'Enter a name.');

/** "Firefox on Windows", until the owner chooses a name. */
export function defaultPasskeyName(browser: string | null, os: string | null): string {
  const names = [browser, os].filter((name) => name !== null);
  return names.length === 0 ? 'Passkey' : names.join(' on ').slice(0, PASSKEY_NAME_MAX);
}

import { uniqueName } from '#contract/common-schemas.ts';
import { PASSKEY_NAME_MAX } from './passkeys.ts';

export const passkeyName = uniqueName('passkey', PASSKEY_NAME_MAX, 'Enter a name.');

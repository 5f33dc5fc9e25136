import type { Passkey } from '#contract/sign-in/passkeys.ts';
import { callAuth } from '#web/shared/sign-in/call-auth.ts';
import { presentCredential, type Begun } from '#web/shared/sign-in/passkey-proof.tsx';

const PATH = '/passkeys';

export async function addPasskey(currentPassword: string): Promise<Passkey> {
  const begun = await callAuth<Begun<PublicKeyCredentialCreationOptionsJSON>>(
    'POST',
    `${PATH}/registration/options`,
    currentPassword === '' ? {} : { current_password: currentPassword },
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(begun.options);
  const credential = await navigator.credentials.create({ publicKey });
  return presentCredential(`${PATH}/registration/verify`, begun, credential);
}

export const renamePasskey = (id: string, friendly_name: string): Promise<Passkey> =>
  callAuth('PATCH', `${PATH}/${id}`, { friendly_name });

export const removePasskey = (id: string): Promise<unknown> => callAuth('DELETE', `${PATH}/${id}`);

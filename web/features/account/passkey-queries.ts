import { useQuery } from '@tanstack/react-query';
import type { Passkey } from '#contract/passkeys.ts';
import { callAuth } from '#web/shared/call-auth.ts';
import { keepsPasskeys } from '#web/shared/passkeys.ts';
import { refreshAccessToken } from '#web/shared/session.ts';

export const PASSKEYS = ['passkeys'];
const PATH = '/passkeys';

export const usePasskeys = () =>
  useQuery({
    queryKey: PASSKEYS,
    queryFn: () => callAuth<Passkey[]>('GET', PATH),
    enabled: keepsPasskeys(),
  });

/** What the service asks the browser for. */
type Begun<Options> = { challenge_id: string; options: Options };

export async function addPasskey(currentPassword: string): Promise<Passkey> {
  const begun = await callAuth<Begun<PublicKeyCredentialCreationOptionsJSON>>(
    'POST',
    `${PATH}/registration/options`,
    currentPassword === '' ? {} : { current_password: currentPassword },
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(begun.options);
  const credential = await navigator.credentials.create({ publicKey });
  return finish(`${PATH}/registration/verify`, begun, credential);
}

/** Shows the service that the member is here. The session's token then says so. */
export async function provePasskey(): Promise<void> {
  const begun = await callAuth<Begun<PublicKeyCredentialRequestOptionsJSON>>(
    'POST',
    `${PATH}/proof/options`,
    {},
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.options);
  const credential = await navigator.credentials.get({ publicKey });
  await finish(`${PATH}/proof/verify`, begun, credential);
  await refreshAccessToken();
}

const finish = <T>(path: string, begun: Begun<unknown>, credential: Credential | null) =>
  callAuth<T>('POST', path, {
    challenge_id: begun.challenge_id,
    credential: credential instanceof PublicKeyCredential ? credential.toJSON() : {},
  });

export const renamePasskey = (id: string, friendly_name: string): Promise<Passkey> =>
  callAuth('PATCH', `${PATH}/${id}`, { friendly_name });

export const removePasskey = (id: string): Promise<unknown> => callAuth('DELETE', `${PATH}/${id}`);

import { useQuery } from '@tanstack/react-query';
import type { Passkey } from '#contract/sign-in/passkeys.ts';
import { callAuth } from './call-auth.ts';
import { PasskeyAction } from './passkey-action.tsx';
import { keepsPasskeys, supportsPasskeys } from './passkeys.ts';
import { refreshAccessToken } from '#web/shared/session/session.ts';

export const PASSKEYS = ['passkeys'];

export const usePasskeys = () =>
  useQuery({
    queryKey: PASSKEYS,
    queryFn: () => callAuth<Passkey[]>('GET', '/passkeys'),
    enabled: keepsPasskeys(),
  });

type ProofProps = { label: string; onUsed: () => void };

/** Offers a passkey as proof that the member is here, if the account has one. */
export const PasskeyProof = (props: ProofProps) => supportsPasskeys() && <ProofButton {...props} />;

function ProofButton({ label, onUsed }: ProofProps) {
  const { data } = usePasskeys();
  if (data === undefined || data.length === 0) return null;
  return <PasskeyAction label={label} use={provePasskey} onUsed={onUsed} className="text-13" />;
}

/** Shows the service that the member is here. The session's token then says so. */
async function provePasskey(): Promise<void> {
  const begun = await callAuth<Begun<PublicKeyCredentialRequestOptionsJSON>>(
    'POST',
    '/passkeys/proof/options',
    {},
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.options);
  const credential = await navigator.credentials.get({ publicKey });
  await presentCredential('/passkeys/proof/verify', begun, credential);
  await refreshAccessToken();
}

/** What the service asks the browser for. */
export type Begun<Options> = { challenge_id: string; options: Options };

export const presentCredential = <T,>(
  path: string,
  begun: Begun<unknown>,
  credential: Credential | null,
): Promise<T> =>
  callAuth<T>('POST', path, {
    challenge_id: begun.challenge_id,
    credential: credential instanceof PublicKeyCredential ? credential.toJSON() : {},
  });

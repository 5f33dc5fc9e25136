import { PASSKEY_KINDS, type PasskeyKind } from '#contract/sign-in/passkeys.ts';
import { readObject, readString, type Body } from '#worker/auth/service/body.ts';

/** A new passkey, as the browser describes it. `id` is in base64url. */
export type Attestation = {
  id: string;
  clientDataJSON: Uint8Array;
  attestationObject: Uint8Array;
  transports: string[];
  kind: PasskeyKind | null;
};

/** A use of a passkey. `userHandle` is the account that the authenticator names; '' for none. */
export type Assertion = {
  id: string;
  clientDataJSON: Uint8Array;
  authenticatorData: Uint8Array;
  signature: Uint8Array;
  userHandle: string;
};

/** Web Authentication §5.8.4. Others are dropped, because the list goes back to browsers. */
const TRANSPORTS = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'];

export function readAttestation(credential: Body): Attestation {
  const response = readObject(credential, 'response') ?? {};
  const listed = Array.isArray(response['transports']) ? response['transports'] : [];
  const transports = TRANSPORTS.filter((name) => listed.includes(name));
  const attachment = readString(credential, 'authenticatorAttachment');
  return {
    id: readString(credential, 'id'),
    clientDataJSON: readBytes(response, 'clientDataJSON'),
    attestationObject: readBytes(response, 'attestationObject'),
    transports,
    kind: kindOf(attachment, transports),
  };
}

export function readAssertion(credential: Body): Assertion {
  const response = readObject(credential, 'response') ?? {};
  return {
    id: readString(credential, 'id'),
    clientDataJSON: readBytes(response, 'clientDataJSON'),
    authenticatorData: readBytes(response, 'authenticatorData'),
    signature: readBytes(response, 'signature'),
    userHandle: Buffer.from(readString(response, 'userHandle'), 'base64url').toString(),
  };
}

const readBytes = (body: Body, member: string): Uint8Array =>
  new Uint8Array(Buffer.from(readString(body, member), 'base64url'));

function kindOf(attachment: string, transports: readonly string[]): PasskeyKind | null {
  const [device, phone, securityKey] = PASSKEY_KINDS;
  if (attachment === 'platform') return device;
  if (attachment !== 'cross-platform') return null;
  return transports.includes('hybrid') ? phone : securityKey;
}

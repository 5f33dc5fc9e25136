import { defaultPasskeyName } from '#contract/sign-in/passkey-name.ts';
import { PASSKEYS_MAX } from '#contract/sign-in/passkeys.ts';
import { SITE_NAME } from '#contract/site.ts';
import { composeMail } from '#worker/mail/compose.ts';
import { MAILS } from '#worker/mail/texts.ts';
import { changeAndNotify } from '#worker/auth/notices/change-and-notify.ts';
import { finish } from '#worker/auth/notices/finish.ts';
import { sendNotice } from '#worker/auth/notices/send-notice.ts';
import type { Body } from '#worker/auth/service/body.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { reauthenticate } from '#worker/auth/sessions/reauthenticate.ts';
import type { OwnerContext } from '#worker/auth/sessions/request-context.ts';
import { describeDevice } from '#worker/auth/sessions/session-device.ts';
import { CHALLENGE_MS, startChallenge, takeChallenge } from './challenges.ts';
import { deletePasskey, insertPasskey, listPasskeys, type PasskeyRow } from './passkey-store.ts';
import { readAttestation } from './read-credential.ts';
import { relyingParty } from './relying-party.ts';
import { verifyAttestation } from './verify-credential.ts';

/** What a browser needs to create or use a passkey. `expires_at` is in seconds since 1970. */
export type PasskeyOptions = {
  challenge_id: string;
  options: Record<string, unknown>;
  expires_at: number;
};

/** ES256 and RS256, which all authenticators together have. */
const ALGORITHMS = [-7, -257];

/**
 * Begins to add a passkey. It needs the same proof as a new password: otherwise a stolen session
 * would be enough to keep the account.
 */
export async function beginAdding(
  owner: OwnerContext,
  currentPassword: string,
): Promise<Result<PasskeyOptions>> {
  const { db, account, session, settings } = owner;
  const existing = await listPasskeys(db, account.id);
  if (existing.length >= PASSKEYS_MAX) return refuse('passkeys_full');
  const proof = await reauthenticate(owner, account, session, currentPassword);
  if (!proof.ok) return proof;
  const begun = await startChallenge(owner, { purpose: 'add', sessionId: session.id });
  if (begun === null) return refuse('flows_limited');
  const options = {
    rp: { id: relyingParty(settings).rpId, name: SITE_NAME },
    user: {
      id: Buffer.from(account.id).toString('base64url'),
      name: account.email,
      displayName: account.email,
    },
    challenge: begun.challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: existing.map(describeCredential),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
  return { ok: true, value: toOptions(begun, options) };
}

export const toOptions = (
  { token, expiresAt }: { token: string; expiresAt: number },
  options: Record<string, unknown>,
): PasskeyOptions => ({
  challenge_id: token,
  options,
  expires_at: Math.floor(expiresAt / 1000),
});

export const describeCredential = ({ credential_id, transports }: PasskeyRow) => ({
  type: 'public-key',
  id: credential_id,
  transports: JSON.parse(transports),
});

/** Stores the passkey that the browser has created, and tells the owner by mail. */
export async function finishAdding(
  owner: OwnerContext,
  token: string,
  credential: Body,
): Promise<Result<PasskeyRow>> {
  const { db, account, session, settings, now } = owner;
  const challenge = await takeChallenge(owner, token, { purpose: 'add', sessionId: session.id });
  if (challenge === null) return refuse('passkey_too_late');
  const attestation = readAttestation(credential);
  const key = await verifyAttestation(attestation, { ...relyingParty(settings), challenge });
  if (key === null) return refuse('passkey_invalid');
  const { browser, os } = describeDevice(owner);
  const row: PasskeyRow = {
    id: crypto.randomUUID(),
    user_id: account.id,
    credential_id: key.credentialId,
    public_key: key.publicKey,
    counter: key.counter,
    transports: JSON.stringify(attestation.transports),
    name: defaultPasskeyName(browser, os),
    kind: attestation.kind,
    created_at: now,
    used_at: null,
  };
  const add = async (): Promise<Result<PasskeyRow>> =>
    (await insertPasskey(db, row)) ? { ok: true, value: row } : refuse('passkey_not_added');
  const told = await changeAndNotify(owner.request, {
    email: account.email,
    kind: NOTICE_KIND,
    change: add,
    mailOf: (added) => (added.ok ? composeNotice(owner, added.value, 'added') : null),
  });
  return told.ok ? told.value : told;
}

/**
 * Removes a passkey, and tells the owner by mail. A thief who has used up the day's notices must not
 * keep theirs, so the limit only ends the mails.
 */
export const removePasskeyAndTell = (
  owner: OwnerContext,
  id: string,
): Promise<Result<PasskeyRow>> => finish(remove(owner, id), owner.request.waitUntil);

async function remove(owner: OwnerContext, id: string): Promise<Result<PasskeyRow>> {
  const gone = await deletePasskey(owner.db, owner.account.id, id);
  if (gone === undefined) return refuse('passkey_not_found');
  await sendNotice(owner.request, NOTICE_KIND, composeNotice(owner, gone, 'removed'));
  return { ok: true, value: gone };
}

/** Apart from the notices about passwords, which these must not use up. */
const NOTICE_KIND = 'key';

const composeNotice = (
  { account, settings }: OwnerContext,
  { name }: PasskeyRow,
  what: 'added' | 'removed',
) => composeMail(account.email, MAILS.passkey(name, what), `${settings.appOrigin}/settings`);

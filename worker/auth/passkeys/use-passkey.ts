import { logEvent } from '#worker/log.ts';
import type { Body } from '#worker/auth/service/body.ts';
import type { AuthContext } from '#worker/auth/service/context.ts';
import { refuse, type Result } from '#worker/auth/service/problems.ts';
import { findById, type Account, type SessionRow } from '#worker/auth/service/store.ts';
import { isAccountSuspended } from '#worker/auth/sessions/session-state.ts';
import {
  issueTokens,
  newSession,
  refuseSuspended,
  type TokenResponse,
} from '#worker/auth/sessions/sessions.ts';
import { withProof } from '#worker/auth/tokens/access-token.ts';
import { toOptions, describeCredential, type PasskeyOptions } from './add-passkey.ts';
import { CHALLENGE_MS, startChallenge, takeChallenge, type Asker } from './challenges.ts';
import {
  findByCredential,
  listPasskeys,
  recordProof,
  startPasskeySession,
  type PasskeyRow,
} from './passkey-store.ts';
import { readAssertion } from './read-credential.ts';
import { relyingParty } from './relying-party.ts';
import { isCounterBehind, verifyAssertion } from './verify-credential.ts';

type Presented = { token: string; credential: Body };
type SignedIn = AuthContext & { account: Account; session: SessionRow };

const SIGN_IN: Asker = { purpose: 'sign_in', sessionId: null };
const proofOf = ({ session }: SignedIn): Asker => ({ purpose: 'prove', sessionId: session.id });

/** Begins a sign-in. The authenticator knows the account, so no address is asked for. */
export const beginSignIn = (context: AuthContext): Promise<Result<PasskeyOptions>> =>
  begin(context, SIGN_IN, []);

/** Begins to prove that the owner of a session is there. */
export const beginProof = async (owner: SignedIn): Promise<Result<PasskeyOptions>> =>
  begin(owner, proofOf(owner), await listPasskeys(owner.db, owner.account.id));

async function begin(
  context: AuthContext,
  asker: Asker,
  passkeys: PasskeyRow[],
): Promise<Result<PasskeyOptions>> {
  const begun = await startChallenge(context, asker);
  if (begun === null) return refuse('flows_limited');
  const options = {
    challenge: begun.challenge,
    rpId: relyingParty(context.settings).rpId,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(describeCredential),
  };
  return { ok: true, value: toOptions(begun, options) };
}

/** Starts a session of the account that the passkey belongs to. */
export async function signInByPasskey(
  context: AuthContext,
  presented: Presented,
): Promise<Result<TokenResponse>> {
  const { db, now } = context;
  const used = await use(context, SIGN_IN, presented);
  if (!used.ok) return used;
  const { passkey, counter } = used.value;
  const session = { ...newSession(context, 'webauthn'), user_id: passkey.user_id };
  const account = await startPasskeySession(db, passkey, counter, session);
  if (account !== undefined)
    return { ok: true, value: await issueTokens(context, account, session) };
  const current = await findById(db, passkey.user_id);
  return current !== undefined && isAccountSuspended(current, now)
    ? refuseSuspended(db, current.id)
    : refuse('passkey_unknown');
}

/** Records in the session that its owner has just used a passkey of the account. */
export async function acceptPasskeyProof(
  owner: SignedIn,
  presented: Presented,
): Promise<Result<null>> {
  const { db, account, session, now } = owner;
  const used = await use(owner, proofOf(owner), presented);
  if (!used.ok) return used;
  const { passkey, counter } = used.value;
  if (passkey.user_id !== account.id) return refuse('passkey_unknown');
  const { amr } = withProof(session, 'webauthn', now);
  return (await recordProof(db, passkey, counter, session, amr, now))
    ? { ok: true, value: null }
    : refuse('passkey_invalid');
}

/** Checks everything that a use of a passkey must prove, and uses up its challenge. */
async function use(
  context: AuthContext,
  asker: Asker,
  { token, credential }: Presented,
): Promise<Result<{ passkey: PasskeyRow; counter: number }>> {
  const challenge = await takeChallenge(context, token, asker);
  if (challenge === null) return refuse('passkey_too_late');
  const assertion = readAssertion(credential);
  const passkey = await findByCredential(context.db, assertion.id);
  if (passkey === undefined) return refuse('passkey_unknown');
  const expected = { ...relyingParty(context.settings), challenge };
  const counter = await verifyAssertion(assertion, passkey.public_key, expected);
  if (counter === null) return refuse('passkey_invalid');
  // Only a sign-in lets the authenticator choose the account, and then it must name it.
  const isNamed = assertion.userHandle === passkey.user_id;
  if (!isNamed && (asker === SIGN_IN || assertion.userHandle !== ''))
    return refuse('passkey_invalid');
  if (isCounterBehind(passkey.counter, counter)) {
    logEvent('auth_passkey_counter_behind', { stored: passkey.counter, presented: counter });
    return refuse('passkey_copied');
  }
  return { ok: true, value: { passkey, counter } };
}

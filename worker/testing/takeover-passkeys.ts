import { expect } from 'vitest';
import { makeAuthenticator, passkeyCalls, type Authenticator } from './passkey.ts';

type Passkey = { id: string; authenticator: Authenticator };
type Visit = { token: string; userId: string };

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/**
 * Passkeys of the owner, of an attacker who has none of the account, and of a thief who has a session
 * of the owner. After `lose`, which means that the owner has recovered the account, none that the
 * thief has added may sign in. A removed one never may, also not after a restore.
 */
export async function makeTakeoverPasskeys(overrides: Partial<Env>) {
  const attackersOwn = await makeAuthenticator();
  let owners: Passkey | null = null;
  let thiefs: Authenticator[] = [];
  const ended: Authenticator[] = [];
  /** The last answer of the owner's authenticator, as an attacker may have recorded it. */
  let recorded: object | null = null;
  const nobody = passkeyCalls({}, overrides);

  const add = async (token: string, password: string): Promise<Passkey | null> => {
    const authenticator = await makeAuthenticator();
    const response = await passkeyCalls(bearer(token), overrides).add(authenticator, password);
    const { id = '' }: { id?: string } = await response.json();
    return response.ok ? { id, authenticator } : null;
  };
  const visitOf = async (response: Response): Promise<Visit | null> => {
    const body: { access_token?: string; user?: { id: string } } = await response.json();
    return body.access_token === undefined || body.user === undefined
      ? null
      : { token: body.access_token, userId: body.user.id };
  };
  const signIn = async (authenticator: Authenticator): Promise<Visit | null> => {
    const begun = await nobody.begin('/authentication/options');
    const answer = await authenticator.sign(begun);
    if (authenticator === owners?.authenticator) recorded = answer;
    return visitOf(await nobody.ask('/authentication/verify', answer));
  };

  return {
    async ownerAdds(token: string | undefined, password: string): Promise<void> {
      if (token === undefined || owners !== null) return;
      owners = await add(token, password);
    },
    ownerSignsIn: async (): Promise<Visit | null> =>
      owners === null ? null : signIn(owners.authenticator),
    async ownerRemoves(token: string | undefined): Promise<void> {
      if (owners === null || token === undefined) return;
      const response = await passkeyCalls(bearer(token), overrides).ask(
        `/${owners.id}`,
        undefined,
        'DELETE',
      );
      await response.body?.cancel();
      if (response.ok) ended.push(owners.authenticator);
      if (response.ok) owners = null;
    },
    /** Tries an unknown passkey, a recorded answer, and the owner's id with another key. */
    async attackerTries(tokens: readonly string[]): Promise<Visit[]> {
      for (const token of tokens) await add(token, '');
      const begun = await nobody.begin('/authentication/options');
      const forged = await attackersOwn.sign(begun);
      if (owners !== null) forged.credential.id = owners.authenticator.id;
      const replayed = { ...recorded, challenge_id: begun.challenge_id };
      const visits = [
        await signIn(attackersOwn),
        await visitOf(await nobody.ask('/authentication/verify', forged)),
        await visitOf(await nobody.ask('/authentication/verify', recorded ?? {})),
        await visitOf(await nobody.ask('/authentication/verify', replayed)),
      ];
      return visits.filter((visit) => visit !== null);
    },
    /** Succeeds while the owner's proof is recent: then the session is enough. */
    async thiefAdds(token: string | undefined): Promise<void> {
      const added = token === undefined ? null : await add(token, '');
      if (added !== null) thiefs.push(added.authenticator);
    },
    /** The owner has recovered the account, or it is gone. */
    lose(): void {
      ended.push(...thiefs, ...(owners === null ? [] : [owners.authenticator]));
      thiefs = [];
      owners = null;
    },
    async check(): Promise<void> {
      for (const authenticator of ended.slice(-2))
        expect(await signIn(authenticator), 'a removed passkey').toBeNull();
    },
  };
}

import * as fc from 'fast-check';
import { afterEach, describe, it, vi } from 'vitest';
import { checkProperty, PROPERTY_TIMEOUT } from '#worker/testing/soak.ts';
import { STEPS, type Step } from '#worker/testing/takeover-steps.ts';
import { makeTakeoverWorld } from '#worker/testing/takeover-world.ts';

const HIJACK: Step[] = [
  'attacker signs up',
  'scanner opens every link',
  'attacker signs in',
  'owner signs up',
  'owner opens the link',
  'attacker signs in',
  'attacker changes the password',
];
const RETURN: Step[] = [
  'owner signs up',
  'owner opens the link',
  'admin demotes',
  'owner deletes the account',
  'owner signs up',
  'owner opens the link',
];
const ESCAPE: Step[] = [
  'owner signs up',
  'owner opens the link',
  'admin suspends',
  'owner recovers',
  'owner opens the link',
  'owner signs in',
];
const ELSEWHERE: Step[] = [
  'owner signs up',
  'attacker resends',
  'owner opens the link elsewhere',
  'attacker recovers',
  'scanner opens every link',
  'owner opens the link',
];
const THEFT: Step[] = [
  'owner signs up',
  'owner opens the link',
  'thief copies the session',
  'thief makes a key',
  'thief parks requests',
  'owner changes the password',
  'owner takes the account back',
  'parked requests arrive',
];
const RESTORED: Step[] = [
  'owner signs up',
  'owner opens the link',
  'thief copies the session',
  'thief makes a key',
  'a backup is made',
  'thief parks requests',
  'owner changes the password',
  'owner takes the account back',
  'thief copies the session',
  'admin demotes',
  'admin suspends',
  'the backup is restored',
  'parked requests arrive',
  'owner signs in',
  'admin lifts the suspension',
];
const CLAIMED: Step[] = [
  'attacker signs up',
  'owner signs in at the provider',
  'owner signs up',
  'owner opens the link',
  'attacker claims the address at the provider',
  'owner signs in at the provider',
  'owner’s address at the provider changes',
  'attacker claims the address at the provider',
  'owner signs in at the provider',
];
const CREATED: Step[] = [
  'attacker signs in at the provider',
  'owner signs in at the provider',
  'attacker signs up again',
  'attacker claims the address at the provider',
  'admin suspends',
  'owner signs in at the provider',
  'admin lifts the suspension',
  'owner signs in at the provider',
  'owner deletes the account',
  'owner signs in at the provider',
];
const PASSKEYS: Step[] = [
  'owner signs up',
  'owner opens the link',
  'owner adds a passkey',
  'owner signs in with the passkey',
  'thief copies the session',
  'thief adds a passkey',
  'attacker tries passkeys',
  'a backup is made',
  'owner changes the password',
  'owner takes the account back',
  'owner adds a passkey',
  'the backup is restored',
  'attacker tries passkeys',
  'owner signs in',
  'owner removes the passkey',
  'attacker tries passkeys',
];
const SUSPENDED: Step[] = [
  'owner signs up',
  'owner opens the link',
  'owner adds a passkey',
  'admin suspends',
  'owner signs in with the passkey',
  'attacker tries passkeys',
  'admin lifts the suspension',
  'owner signs in with the passkey',
  'owner deletes the account',
  'owner signs in with the passkey',
];
const GUARDED: Step[] = [
  'owner signs up',
  'owner opens the link',
  'owner sets up a second factor',
  'attacker learns the password',
  'attacker enters a wrong code',
  'owner signs in',
  'attacker replays a code',
  'attacker asks for a reset',
  'a day passes',
  'owner stops the reset',
  'attacker enters a wrong code',
  'owner recovers',
  'owner opens the link',
];
const LOST: Step[] = [
  'owner signs up',
  'owner opens the link',
  'owner sets up a second factor',
  'owner signs in with a recovery code',
  'thief copies the session',
  'owner asks for a reset',
  'owner finishes the reset',
  'a day passes',
  'owner finishes the reset',
  'owner signs in',
];
const FACTOR_RESTORED: Step[] = [
  'owner signs up',
  'owner opens the link',
  'a backup is made',
  'owner sets up a second factor',
  'attacker learns the password',
  'owner asks for a reset',
  'the backup is restored',
  'attacker enters a wrong code',
  'a day passes',
  'owner finishes the reset',
];
const MAILBOX: Step[] = [
  'attacker signs up',
  'attacker asks for the owner’s code at the provider',
  'owner proves the mailbox at the provider',
  'attacker signs in',
  'attacker asks for the owner’s code at the provider',
  'owner recovers',
  'owner opens the link',
  'owner deletes the account',
  'attacker signs up',
  'owner proves the mailbox at the provider',
  'owner signs in at the provider',
];
afterEach(() => vi.restoreAllMocks());

describe('model of an account takeover', () => {
  it(
    '[A2] the attacker never gets a session, and the owner’s password works',
    { timeout: PROPERTY_TIMEOUT },
    async () => {
      await checkProperty(
        'takeover',
        fc.asyncProperty(
          fc.array(fc.constantFrom(...STEPS), { minLength: 5, maxLength: 12 }),
          async (steps) => {
            const world = await makeTakeoverWorld();
            for (const step of steps) {
              await world.step(step);
              await world.check();
            }
            await world.end();
          },
        ),
        9,
        {
          seed: 20261121,
          examples: [
            HIJACK,
            RETURN,
            ESCAPE,
            ELSEWHERE,
            THEFT,
            RESTORED,
            CLAIMED,
            CREATED,
            PASSKEYS,
            SUSPENDED,
            GUARDED,
            LOST,
            FACTOR_RESTORED,
            MAILBOX,
          ].map((steps): [Step[]] => [steps]),
        },
      );
    },
  );
});

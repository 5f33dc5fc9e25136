/** The steps about a second factor. The attacker may have learned the password. */
export const FACTOR_STEPS = [
  'owner sets up a second factor',
  'owner signs in with a recovery code',
  'owner asks for a reset',
  'owner stops the reset',
  'a day passes',
  'owner finishes the reset',
  'attacker learns the password',
  'attacker enters a wrong code',
  'attacker replays a code',
  'attacker asks for a reset',
] as const;

/**
 * The steps of an attacker, the mailbox's owner, a mail scanner, an administrator, an operator who
 * restores the database, and a thief who has a session of the owner. They may occur in any order.
 */
export const STEPS = [
  'attacker signs up',
  'attacker signs up again',
  'attacker signs in',
  'attacker resends',
  'attacker recovers',
  'attacker guesses a code',
  'attacker changes the password',
  'attacker deletes the account',
  'scanner opens every link',
  'owner signs up',
  'owner signs in',
  'owner resends',
  'owner recovers',
  'owner opens the link',
  'owner opens the link elsewhere',
  'owner opens an old link',
  'owner enters the code',
  'owner changes the password',
  'owner deletes the account',
  'owner signs in at the provider',
  'owner’s address at the provider changes',
  'attacker signs in at the provider',
  'attacker claims the address at the provider',
  ...FACTOR_STEPS,
  'attacker asks for the owner’s code at the provider',
  'owner proves the mailbox at the provider',
  'admin demotes',
  'admin suspends',
  'admin lifts the suspension',
  'thief copies the session',
  'thief makes a key',
  'thief parks requests',
  'parked requests arrive',
  'owner takes the account back',
  'a backup is made',
  'the backup is restored',
] as const;
export type Step = (typeof STEPS)[number];

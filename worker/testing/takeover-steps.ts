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

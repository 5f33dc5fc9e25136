/** How long a test waits for what it expects, in ms: long, for busy machines and slow disks. */
export const WAIT_MS = 60_000;

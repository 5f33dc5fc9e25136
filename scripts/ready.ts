import { ensureWebBuilt } from './build-web.ts';
import { ensureDevVars } from './dev-vars.ts';
import { ensureMigrated } from './migrate.ts';
import { DEMO_SIGN_INS } from './demo/sign-ins.ts';
import { seedDemo } from './seed.ts';
import { isFree } from './serve.ts';

/** Ends the program with a sentence if one of `ports` is taken. */
export async function requireFree(ports: readonly number[], command: string): Promise<void> {
  for (const port of ports) {
    if (await isFree(port)) continue;
    console.error(`Port ${port} is taken by another program. Stop it, or choose another port: PORT=${port + 10} npm ${command}`);
    process.exit(1);
  }
}

/** Everything before the server: pages, local settings, database, demo data. Returns whether there are demo accounts. */
export async function makeReady(state: string, origin: string): Promise<boolean> {
  ensureDevVars();
  if (await ensureWebBuilt()) console.log('Built the pages.');
  if (await ensureMigrated(state)) console.log('Brought the local database up to date.');
  return process.env['DEMO'] !== 'off' && (await seedDemo(state, origin));
}

/** Tells where the product is and how to sign in. */
export function greet(origin: string, hasDemo: boolean): void {
  console.log(`\n  Hop is at ${origin}\n`);
  if (hasDemo) {
    for (const { email, password, what } of DEMO_SIGN_INS) console.log(`  ${email} / ${password}   (${what})`);
    console.log(`\n  Its mail arrives at ${origin}/dev/mailbox`);
  }
  console.log('  Ctrl-C stops it.\n');
}

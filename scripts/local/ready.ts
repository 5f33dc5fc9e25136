import { ensureWebBuilt } from '#scripts/build/build-web.ts';
import { ensureDevVars } from './dev-vars.ts';
import { prepareDatabase } from './prepare-database.ts';
import { DEMO_SIGN_INS } from '#scripts/demo/sign-ins.ts';
import { isFree, rememberOrigin } from './serve.ts';

export async function requireFree(ports: readonly number[], command: string): Promise<void> {
  for (const port of ports) {
    if (await isFree(port)) continue;
    console.error(
      `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 10} npm ${command}`,
    );
    process.exit(1);
  }
}

export async function makeReady(state: string, origin: string): Promise<boolean> {
  ensureDevVars();
  if (await ensureWebBuilt()) console.log('Built the pages.');
  const isDemo = process.env['DEMO'] !== 'off';
  const hasDemo = await prepareDatabase(state, isDemo ? origin : undefined);
  rememberOrigin(state, origin);
  return hasDemo;
}

/** A second host for short links (SHORT_HOSTS). */
export const LOCAL_SHORT_HOST = 'go.localhost';

/** Prints where the product runs, how to sign in, where its mail arrives and how to stop it. */
export function greet(origin: string, hasDemo: boolean, shortHost: string | null = null): void {
  const rows = [['Hop', origin]];
  if (hasDemo)
    rows.push(
      ...DEMO_SIGN_INS.map(({ email, password, what }) => [
        'Sign in',
        `${email} / ${password}   ${what}`,
      ]),
    );
  if (shortHost !== null)
    rows.push(['Domain', `http://${shortHost}:${new URL(origin).port}   more short links`]);
  rows.push(['Mailbox', `${origin}/dev/mailbox`], ['Stop', 'Ctrl-C']);
  console.log(
    `\n${rows.map(([name = '', value = '']) => `  ${name.padEnd(9)}${value}`).join('\n')}\n`,
  );
}

import { DEMO_SIGN_INS } from '#scripts/demo/sign-ins.ts';

/** The variable in which every process of a run finds the session of a demo account. */
export const sessionVariable = (owner: string): string => `HOP_E2E_SESSION_${owner}`;

/**
 * Signs the demo accounts in, one after the other, once the server is there: the first sign-in of
 * each stores a cheaper hash of its password, and another at the same time would fail. Playwright
 * requires a default export.
 */
export default async function signInDemo(): Promise<void> {
  const origin = `http://localhost:${process.env['HOP_E2E_PORT']}`;
  for (const { owner, email, password } of DEMO_SIGN_INS) {
    const answer = await fetch(`${origin}/api/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const session = await answer.text();
    if (!answer.ok) throw new Error(`${email} cannot sign in: ${session}`);
    process.env[sessionVariable(owner)] = session;
  }
}

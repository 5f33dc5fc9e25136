export const DEMO_SIGN_INS = [
  { owner: 'admin', email: 'admin@example.com', password: 'demo-admin', what: 'admin, Premium' },
  {
    owner: 'user',
    email: 'user@example.com',
    password: 'demo-user',
    what: 'member, Free',
  },
] as const;

/** A session as the sign-in client stores it. */
export type DemoSession = { access_token: string; user: { id: string } };

/** Signs in as the administrator of the demo data, who has Premium. */
export async function signInDemoAdmin(origin: string): Promise<DemoSession> {
  const [{ email, password }] = DEMO_SIGN_INS;
  const response = await fetch(`${origin}/api/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`The demo account cannot sign in: ${response.status}`);
  return JSON.parse(await response.text());
}

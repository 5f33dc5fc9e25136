import type { Page } from '@playwright/test';
import { failing, type Screenshot } from './screenshot.ts';

const path = '/settings/sessions';

export const SESSION_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'sessions', path, who: 'new', state: 'empty' },
  { name: 'sessions', path, who: 'new', state: 'full', before: otherDevices },
  { name: 'sessions', path, who: 'user', state: 'error', before: failing('/api/sessions') },
  {
    name: 'sessions-dialog',
    path,
    who: 'new',
    state: 'full',
    before: otherDevices,
    after: (page) => page.getByRole('button', { name: 'Sign out all others…' }).click(),
  },
];

const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'curl/8.5.0',
];

/** Signs the new account in from other browsers and from a program. */
async function otherDevices(page: Page, headers: Record<string, string>): Promise<void> {
  const { email } = await (await page.request.get('/api/me', { headers })).json();
  for (const agent of USER_AGENTS)
    await page.request.post('/api/auth/v1/token?grant_type=password', {
      data: { email, password: 'correct horse' },
      headers: { 'User-Agent': agent },
    });
}

import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

afterEach(() => {
  document.head.innerHTML = '';
});
const embed = (text: string): void => {
  document.head.innerHTML = `<script type="application/json" id="hop-config">${text}</script>`;
};

describe('readConfig', () => {
  it('the configuration defaults to the embedded sign-in on the page’s origin', () => {
    expect(readConfig(document, 'https://hop.example')).toMatchObject({
      appOrigin: 'https://hop.example',
      auth: { url: 'https://hop.example/api', mode: 'embedded' },
      billing: 'none',
      networkAds: [],
      supportEmail: '',
    });
  });

  it('reads the embedded configuration and survives a broken one', () => {
    embed(
      '{"siteName":"Hop","billing":"demo","auth":{"url":"https://x.supabase.co","key":"k","mode":"hosted"}}',
    );
    expect(readConfig(document, 'https://hop.example')).toMatchObject({
      billing: 'demo',
      auth: { mode: 'hosted', key: 'k' },
    });
    embed('{"siteName":');
    expect(readConfig(document, 'https://hop.example').billing).toBe('none');
  });
});

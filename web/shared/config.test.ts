import { afterEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';

afterEach(() => {
  document.head.innerHTML = '';
});
const write = (text: string): void => {
  document.head.innerHTML = `<script type="application/json" id="hop-config">${text}</script>`;
};

test('without a word from the Worker, the embedded sign-in of this origin', () => {
  expect(readConfig(document, 'https://hop.example')).toMatchObject({
    appOrigin: 'https://hop.example',
    auth: { url: 'https://hop.example/api', mode: 'embedded' },
    billing: 'none',
    ads: false,
  });
});

test('what the Worker says wins; a broken script does not break the page', () => {
  write('{"siteName":"Hop","billing":"demo","auth":{"url":"https://x.supabase.co","key":"k","mode":"hosted"}}');
  expect(readConfig(document, 'https://hop.example')).toMatchObject({ billing: 'demo', auth: { mode: 'hosted', key: 'k' } });
  write('{"siteName":');
  expect(readConfig(document, 'https://hop.example').billing).toBe('none');
});

import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { config } from '#web/shared/page/config.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { ToolsPage } from './tools-page.tsx';

afterEach(cleanup);

it('tools are files to download and a link to drag, which does nothing here', () => {
  showPage(<ToolsPage />);
  for (const browser of ['chromium', 'firefox']) {
    const link = screen.getByRole('link', { name: `download hop-${browser}.zip` });
    expect(link.getAttribute('href')).toContain(`hop-${browser}.zip`);
    expect(link.hasAttribute('download')).toBe(true);
  }
  const bookmarklet = screen.getByRole('link', { name: /^Shorten with/ });
  const code = bookmarklet.getAttribute('href') ?? '';
  expect(code).toMatch(/^javascript:/);
  expect(code).toContain(config.appOrigin);
  expect(fireEvent.click(bookmarklet)).toBe(false);
  expect(screen.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe(
    '/docs/api',
  );
  for (const section of screen.getAllByRole('region'))
    expect(section.querySelector('h2')?.id).toBe(section.getAttribute('aria-labelledby'));
});

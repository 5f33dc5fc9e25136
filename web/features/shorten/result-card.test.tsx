import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { ResultCard } from './result-card.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const LINK = {
  shortUrl: 'https://hop.example/abc',
  code: 'abc',
  longUrl: 'https://example.com/',
  created_at: '2026-11-21T00:00:00Z',
};

describe('ResultCard', () => {
  it.each([
    [true, true],
    [false, false],
  ])('takes the focus: %s; leads a member to the studio: %s', async (takeFocus, member) => {
    serve(() => ({ qrCode: 'data:image/svg+xml,<svg/>' }));
    showPage(<ResultCard link={LINK} takeFocus={takeFocus} member={member} />);
    await screen.findByAltText('QR code for the short URL abc');
    expect(document.activeElement?.tagName).toBe(takeFocus ? 'BUTTON' : 'BODY');
    expect(screen.queryByText('Customize QR') !== null).toBe(member);
    const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(hrefs.slice(0, 2)).toEqual(['https://hop.example/abc', 'https://hop.example/abc+']);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await press('Copy');
    expect(copied).toHaveBeenCalledExactlyOnceWith('https://hop.example/abc');
  });

  it('copies the link while its QR code cannot be loaded, and Retry loads the code', async () => {
    let fails = true;
    const requests = serve(() =>
      fails ? rejection(503, 'Down.') : { qrCode: 'data:image/svg+xml,<svg/>' },
    );
    showPage(<ResultCard link={LINK} takeFocus={false} member={false} />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The QR code could not be loaded.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Copy' }).disabled).toBe(false);
    fails = false;
    await press('Retry');
    expect(await screen.findByAltText('QR code for the short URL abc')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(requests).toEqual(['GET /api/qr/abc', 'GET /api/qr/abc']);
  });
});

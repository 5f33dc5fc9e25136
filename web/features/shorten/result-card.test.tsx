import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rejection, serve } from '#web/testing/fake-server.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { MemberActions, ResultCard } from './result-card.tsx';

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
    const actions = <MemberActions code="d.k/abc" pending={false} onEdit={vi.fn()} />;
    showPage(<ResultCard link={LINK} takeFocus={takeFocus} member={member} actions={actions} />);
    await screen.findByAltText('QR code for the short URL abc');
    const directions = [...document.querySelectorAll('[dir]')];
    expect(directions.map(({ textContent }) => textContent)).toEqual([
      'hop.example/abc',
      'example.com',
    ]);
    expect(document.activeElement?.tagName).toBe(takeFocus ? 'BUTTON' : 'BODY');
    expect(screen.queryByText('Customize QR') !== null).toBe(member);
    const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(hrefs.slice(0, 3)).toEqual([
      'https://hop.example/abc',
      'https://hop.example/abc+',
      '/analytics/d.k%2Fabc',
    ]);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await press('Copy');
    expect(copied).toHaveBeenCalledExactlyOnceWith('https://hop.example/abc');
  });

  it.each([
    [true, ['example.com']],
    [false, []],
  ])('the address of a new link (%s) folds into its code', (isNew, folded) => {
    serve(() => ({ qrCode: '' }));
    const rect = new DOMRect(0, 0, 200, 20);
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(rect);
    vi.spyOn(Range.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 10, 20));
    const value = () => ({ finished: new Promise(() => undefined) });
    Object.defineProperty(HTMLElement.prototype, 'animate', { value, configurable: true });
    showPage(<ResultCard link={LINK} takeFocus={false} isNew={isNew} member={false} />);
    const ghosts = [...document.querySelectorAll('p > span[aria-hidden]')];
    expect(ghosts.map(({ textContent }) => textContent)).toEqual(folded);
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

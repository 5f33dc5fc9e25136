import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PlanType } from '#contract/site.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { AdSlot, ResultAd } from './ad-slot.tsx';
import { config } from '#web/shared/page/config.ts';
import { startSession } from '#web/shared/session/session.ts';
import { noteOwnPlan, useMe } from '#web/shared/api/use-me.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
  config.networkAds = [];
});

let members = 0;
/**
 * Signs in as a member that no other test has used. `answer` responds to `/api/me` and waits until
 * the page has the plan.
 */
function signIn() {
  const email = `ads${++members}@example.com`;
  const id = `id of ${email}`;
  let finish: ((response: Response) => void) | undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (finish = resolve)));
  signInAsMember({ email });
  const answer = async (plan: PlanType): Promise<void> => {
    await waitFor(() => expect(finish).toBeDefined());
    act(() => finish?.(Response.json({ id, email, role: 'user', plan })));
    await screen.findByText(`plan: ${plan}`);
  };
  return { id, answer };
}

function Page({ hasSlot = true }: { hasSlot?: boolean }) {
  const { me } = useMe();
  return (
    <MemoryRouter>
      <p>plan: {me?.plan ?? 'unknown'}</p>
      <div data-testid="slot">{hasSlot && <AdSlot place="analytics" />}</div>
    </MemoryRouter>
  );
}
const slot = () => screen.getByTestId('slot');
const ad = () => screen.queryByRole('complementary', { name: 'Ad' });
const sizeOf = (element: Element | null | undefined) =>
  element?.className.match(/\S*h-\S+/g)?.join(' ');

describe('AdSlot', () => {
  it('shows visitors the promotion of Premium where the network has no ad unit', () => {
    config.networkAds = ['home'];
    render(<Page />);
    expect(ad()?.textContent).toMatch(/the cities and sites behind your clicks.*Compare plans$/);
    expect(screen.queryByTitle('Ad')).toBeNull();
  });

  it('shows visitors the frame of the place if the network has one', () => {
    config.networkAds = ['analytics'];
    render(<Page />);
    expect(screen.getByTitle('Ad').getAttribute('src')).toBe('/ads/frame/analytics');
    expect(screen.getByTitle('Ad').getAttribute('sandbox')).not.toContain('allow-same-origin');
    expect(screen.getByTitle('Ad').getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(ad()?.textContent).toBe('Ad');
  });

  it('the slot stays empty until the plan is known, then shows free members an ad', async () => {
    const { answer } = signIn();
    render(<Page />);
    expect(slot().textContent).toBe('');
    const reserved = sizeOf(slot().firstElementChild);
    expect(reserved).toMatch(/h-30/);
    await answer('free');
    expect(sizeOf(ad())).toBe(reserved);
  });

  it('never shows an ad to a Premium member, and keeps the space it had', async () => {
    config.networkAds = ['analytics'];
    const { answer } = signIn();
    render(<Page />);
    await answer('premium');
    expect(slot().textContent).toBe('');
    expect(slot().querySelector('iframe')).toBeNull();
    expect(sizeOf(slot().firstElementChild)).toMatch(/h-30/);
  });

  it('gives up its space for a Premium member while it is below the window', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
      new DOMRect(0, window.innerHeight, 300, 110),
    );
    const { answer } = signIn();
    render(<Page />);
    expect(sizeOf(slot().firstElementChild)).toMatch(/h-30/);
    await answer('premium');
    expect(slot().innerHTML).toBe('');
  });

  it('takes no space where the plan is known to be Premium', async () => {
    const { answer } = signIn();
    const { rerender } = render(<Page hasSlot={false} />);
    await answer('premium');
    rerender(<Page />);
    expect(slot().innerHTML).toBe('');
  });

  it('removes the ad when the member upgrades', async () => {
    const { id, answer } = signIn();
    render(<Page />);
    await answer('free');
    expect(ad()).not.toBeNull();
    act(() => noteOwnPlan('id of somebody else', 'premium'));
    expect(ad()).not.toBeNull();
    act(() => noteOwnPlan(id, 'premium'));
    expect(ad()).toBeNull();
  });
});

describe('ResultAd', () => {
  it('shows an ad of the network, and never our own promotion', () => {
    config.networkAds = ['home'];
    const { container } = render(<ResultAd />, { wrapper: MemoryRouter });
    expect(container.innerHTML).toBe('');
    cleanup();
    config.networkAds = ['result'];
    render(<ResultAd />, { wrapper: MemoryRouter });
    expect(screen.getByTitle('Ad').getAttribute('src')).toBe('/ads/frame/result');
  });
});

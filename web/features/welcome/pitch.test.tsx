import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { noteOwnPlan, prefetchMe } from '#web/shared/use-me.ts';
import { startSession } from '#web/shared/session.ts';
import { signInAsMember } from '#web/testing/session.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { Pitch } from './pitch.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  startSession();
});

const show = (member: boolean) => showPage(<Pitch member={member} ad={null} sources={null} />);
const links = () => screen.queryAllByRole('link').map((link) => link.textContent);

describe('Pitch', () => {
  it('shows the plans to a visitor, who can sign up', () => {
    show(false);
    expect(links()).toContain('Sign up for free');
    expect(links()).not.toContain('Go to My URLs');
  });

  it.each([
    [null, false],
    ['free', true],
    ['premium', false],
  ] as const)('shows the plans to a member with the plan %s: %s', async (plan, isShown) => {
    signInAsMember();
    if (plan !== null) {
      const me = { id: 'id of a@example.com', email: 'a@example.com', role: 'user' };
      vi.stubGlobal('fetch', async () => Response.json({ ...me, plan_type: plan }));
      await prefetchMe();
      noteOwnPlan(me.id, plan);
    }
    show(true);
    expect(screen.queryByText('Start free') !== null).toBe(isShown);
    expect(links().includes('Go to My URLs')).toBe(isShown);
  });
});

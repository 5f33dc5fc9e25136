import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADVANCED_ANALYTICS } from '#contract/plans/plan-features.ts';
import { LockedPanel } from './cards.tsx';

afterEach(cleanup);

describe('LockedPanel', () => {
  it('names everything that the upgrade adds, and opens it', () => {
    const onUpgrade = vi.fn<() => void>();
    render(<LockedPanel onUpgrade={onUpgrade} />);
    const panel = screen.getByRole('region', { name: 'Advanced analytics' });
    for (const words of Object.values(ADVANCED_ANALYTICS))
      expect(panel.textContent.toLowerCase()).toContain(words);
    screen.getByRole('button', { name: 'Upgrade to Premium' }).click();
    expect(onUpgrade).toHaveBeenCalledOnce();
  });

  it('offers an administrator no upgrade', () => {
    render(<LockedPanel onUpgrade={null} />);
    expect(screen.getByRole('region').textContent).toContain(
      'The plan of this link’s owner does not include them.',
    );
    expect(screen.queryByRole('button')).toBeNull();
  });
});

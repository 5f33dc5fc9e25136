import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { showPage } from '#web/testing/render-page.tsx';
import { Pitch } from './pitch.tsx';

afterEach(cleanup);

describe('Pitch', () => {
  it('shows the plans to a visitor, who can sign up', () => {
    showPage(<Pitch ad={<p>the ad</p>} sources={null} />);
    expect(screen.getByRole('link', { name: 'Sign up for free' }).getAttribute('href')).toBe(
      '/auth?tab=sign-up',
    );
    expect(screen.getByText('the ad')).toBeTruthy();
  });
});

import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { makeDomain } from '#web/testing/make-domain.ts';
import { showPage } from '#web/testing/render-page.tsx';
import { DomainRow } from './domain-row.tsx';

afterEach(cleanup);

describe('DomainRow', () => {
  it('shows an international name in both forms', () => {
    const domain = makeDomain({ name: 'xn--bcher-kva.example', displayName: 'bücher.example' });
    const nothing = (): void => undefined;
    showPage(
      <DomainRow
        domain={domain}
        now={Date.parse('2026-11-21T12:00:00Z')}
        onPages={nothing}
        onTransfer={nothing}
        onDelete={nothing}
      />,
    );
    expect(screen.getByRole('heading', { name: 'bücher.example' })).toBeTruthy();
    expect(screen.getByText(/^xn--bcher-kva\.example · Added/)).toBeTruthy();
  });
});

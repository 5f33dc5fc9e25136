import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Domain } from '#contract/domains.ts';
import {
  CNAME_RECORD,
  makeDomain,
  makeSharedDomain,
  TXT_RECORD,
} from '#web/testing/make-domain.ts';
import { press, pressUnanswered, showPage } from '#web/testing/render-page.tsx';
import { DomainRow } from './domain-row.tsx';

afterEach(cleanup);

const INTERNATIONAL = { name: 'xn--bcher-kva.example', displayName: 'bücher.example' };
const onPages = vi.fn<() => void>();
const show = (domain: Domain): void => {
  const nothing = (): void => undefined;
  showPage(
    <DomainRow
      domain={domain}
      now={Date.parse('2026-11-21T12:00:00Z')}
      onPages={onPages}
      onTransfer={nothing}
      onDelete={nothing}
    />,
  );
};
const items = async (): Promise<(string | null)[]> => {
  await press(/^Actions for/);
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
};

describe('DomainRow', () => {
  it('shows an international name in both forms, and what the domain can do', async () => {
    show(makeDomain(INTERNATIONAL));
    expect(screen.getByRole('heading', { name: 'bücher.example' })).toBeTruthy();
    expect(screen.getByText(/^xn--bcher-kva\.example/).textContent).toBe(
      'xn--bcher-kva.example · Added Nov 1, 2026 · Checked yesterday',
    );
    expect(screen.queryByText(/^Many providers add your domain/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
    expect(screen.getByText('DNS records').closest('details')?.open).toBe(false);
    expect(await items()).toEqual(['Root and unknown codes', 'Transfer domain', 'Delete domain']);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Root and unknown codes' }));
    expect(onPages).toHaveBeenCalledOnce();
  });

  it('offers only the deletion of an unproven domain, and says how to enter a record', async () => {
    const records = [TXT_RECORD, { ...CNAME_RECORD, state: 'missing' } as const];
    show(makeDomain({ state: 'unproven', records, checkedAt: null }));
    expect(screen.getByText(/^Many providers add your domain/)).toBeTruthy();
    const copies = screen.getAllByRole('button', { name: /^Copy/ });
    expect(copies.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Copy the name of the TXT record',
      'Copy the value of the TXT record',
      'Copy the name of the CNAME record',
      'Copy the value of the CNAME record',
    ]);
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await press('Copy the value of the TXT record');
    expect(copied).toHaveBeenCalledWith('hop-0123456789');
    expect(await items()).toEqual(['Delete domain']);
  });

  it('checks a failing domain on request, and says until when it is offered', async () => {
    show(makeDomain({ state: 'failing', offeredUntil: '2026-12-04T12:00:00Z' }));
    expect(screen.getByText(/Offered to another account until Dec 4, 2026/)).toBeTruthy();
    await pressUnanswered('Check now');
    expect(await items()).toContain('Withdraw offer');
  });

  it('offers no action on a suspended domain', () => {
    show(makeDomain({ records: [] }));
    expect(screen.queryByText('DNS records')).toBeNull();
    cleanup();
    show(makeDomain({ state: 'suspended', suspendedReason: 'Phishing' }));
    expect(screen.getByText(/stopped this domain: Phishing\./).className).toContain('text-bad');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says what is wrong with a shared host', () => {
    show({ ...makeSharedDomain('x'), ...INTERNATIONAL, state: 'failing' });
    expect(screen.getByRole('listitem').textContent).toBe(
      'bücher.exampleSharedFailingxn--bcher-kva.example',
    );
  });
});

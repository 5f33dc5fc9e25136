import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { expectRejections } from '#web/testing/expect-rejections.ts';
import { domainList, makeDomain, makeSharedDomain } from '#web/testing/make-domain.ts';
import { press, showPage } from '#web/testing/render-page.tsx';
import { signInAsMember } from '#web/testing/session.ts';
import { AddDomainDialog } from './add-domain-dialog.tsx';
import { DefaultDomain } from './default-domain.tsx';
import { DeleteDomainDialog } from './delete-domain-dialog.tsx';
import { DomainPagesDialog } from './domain-pages-dialog.tsx';
import { TransferDomainDialog } from './transfer-domain-dialog.tsx';

const DOMAIN = makeDomain();
const PATH = '/api/domains/go.example.com';
const onClose = (): void => undefined;
const type = async (label: string | RegExp, value: string): Promise<void> =>
  void fireEvent.change(await screen.findByLabelText(label), { target: { value } });

beforeEach(() => signInAsMember());
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it('each dialog of a domain shows what the server rejects, at its field or below', async () => {
  await expectRejections({
    route: 'POST /api/domains',
    fields: { name: 'Domain' },
    open: () => showPage(<AddDomainDialog onClose={onClose} />),
    send: async () => {
      await type('Domain', 'go.example.com');
      await press('Add domain');
    },
  });
  cleanup();
  await expectRejections({
    route: `PATCH ${PATH}`,
    fields: { rootUrl: 'Root (optional)', notFoundUrl: 'Unknown codes (optional)' },
    open: () => showPage(<DomainPagesDialog domain={DOMAIN} onClose={onClose} />),
    send: () => press('Save domain'),
  });
  cleanup();
  const confirmation = 'Type “go.example.com” to confirm';
  await expectRejections({
    route: `DELETE ${PATH}`,
    fields: { name: confirmation },
    answers: { [`GET ${PATH}`]: { ...DOMAIN, links: 1, clicks_30_days: 0 } },
    open: async () => {
      showPage(<DeleteDomainDialog domain={DOMAIN} onClose={onClose} />);
      await type(confirmation, 'go.example.com');
    },
    send: () => press('Delete domain'),
  });
  cleanup();
  await expectRejections({
    route: `POST ${PATH}/transfer`,
    fields: { email: 'Email of the other account' },
    open: () => {
      showPage(<TransferDomainDialog domain={DOMAIN} onClose={onClose} />);
      return type('Email of the other account', 'b@example.com');
    },
    send: () => press('Offer domain'),
  });
});

it('says why the domain of new links did not change', async () => {
  const list = domainList([makeSharedDomain('link.example')]);
  await expectRejections({
    route: 'PUT /api/domains/default',
    open: () => showPage(<DefaultDomain list={list} />),
    send: () => type('Domain of new links', 'link.example'),
  });
  expect(screen.getByLabelText<HTMLSelectElement>('Domain of new links').value).toBe('');
});

import { useState } from 'react';
import type { Domain } from '#contract/domains.ts';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { toast } from '#web/ui/announcer.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { useOfferDomain } from './queries.ts';

/** Offers a domain to another account. The answer never tells whether the address has one. */
export function TransferDomainDialog({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const { name, displayName: shown } = domain;
  const [email, setEmail] = useState('');
  const offer = useOfferDomain(name, () => {
    toast(`${shown} offered to ${email.trim()}, if that address has an account here.`);
    onClose();
  });
  const required = useRequired({ email: !email.includes('@') && 'Enter an email address.' });
  const errors = serverErrors(offer.error, ['email']);
  return (
    <FormDialog
      title="Transfer this domain?"
      action="Offer domain"
      tone="danger"
      pending={offer.isPending}
      errors={errors}
      onSubmit={() => required.check() && offer.mutate(email.trim())}
      onClose={onClose}
    >
      <p className="text-14 [overflow-wrap:anywhere] text-ink-2">
        The other account has 7 days to accept. From then on {shown} is theirs, and your links on it
        stop working, for good: only the name moves, not the links.
      </p>
      <TextField
        label="Email of the other account"
        type="email"
        inputMode="email"
        autoComplete="off"
        error={required.at('email') || errors.at('email')}
        value={email}
        onText={setEmail}
      />
    </FormDialog>
  );
}

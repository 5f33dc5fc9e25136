import { textLinkClass } from '#web/ui/external-link.tsx';
import { Link } from '#web/ui/link.tsx';

export function KeepLinkOffer() {
  return (
    <p className="text-14 text-ink-2">
      Keep this link:{' '}
      <Link to="/auth?tab=sign-up&next=%2F" className={textLinkClass}>
        sign up free
      </Link>{' '}
      to edit it and see its clicks.
    </p>
  );
}

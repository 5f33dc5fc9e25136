import { Link } from './link.tsx';

export const ParentLink = ({ to, label }: { to: string; label: string }) => (
  <p className="mb-2 text-13 print:hidden">
    <Link
      to={to}
      className="inline-flex items-center rounded-sm text-accent hover:underline active:bg-pressed pointer-coarse:min-h-11"
    >
      {label}
    </Link>
  </p>
);

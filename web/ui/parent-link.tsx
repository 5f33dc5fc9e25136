import { Link } from './link.tsx';

/** The page that a page belongs to, above its heading. */
export const ParentLink = ({ to, label }: { to: string; label: string }) => (
  <p className="mb-2 text-13 print:hidden">
    <Link to={to} className="text-accent hover:underline">
      {label}
    </Link>
  </p>
);

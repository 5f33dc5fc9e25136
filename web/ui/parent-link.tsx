import { ArrowLeft } from 'lucide-react';
import { Link } from './link.tsx';

export type Parent = { to: string; label: string };

/** The way back to the page above, on top of a page's heading. */
export const ParentLink = ({ to, label }: Parent) => (
  <p className="mb-1 text-13 print:hidden">
    <Link
      to={to}
      className="inline-flex items-center gap-1.5 rounded-sm text-ink-2 hover:text-ink hover:underline active:bg-pressed pointer-coarse:min-h-11"
    >
      <ArrowLeft className="size-4 rtl:-scale-x-100" />
      {label}
    </Link>
  </p>
);

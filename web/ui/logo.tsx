/** The product's logo. e2e/brand/images.ts draws the icons from the same shapes. */
export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={className}>
      <path
        d="M4.5 16.5C5.5 9 9 5.5 12 5.5s6.5 3.5 7.5 11"
        stroke="currentColor"
        strokeWidth="2.25"
        strokeLinecap="round"
      />
      <circle cx="4.5" cy="18" r="2.25" fill="currentColor" />
      <circle cx="19.5" cy="18" r="2.25" className="fill-accent" />
    </svg>
  );
}

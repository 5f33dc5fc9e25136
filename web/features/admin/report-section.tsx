import type { ReactNode } from 'react';

export const ReportSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-1.5 text-13 text-ink-3">{title}</h3>
    {children}
  </section>
);

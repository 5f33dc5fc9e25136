import { Link2 } from 'lucide-react';
import { Suspense } from 'react';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import type { GlyphName } from './sources.ts';

const NoGlyph = () => <Link2 className="size-4 shrink-0 text-ink-3" />;
const Glyph = lazyOr(() => import('./glyphs.tsx').then((m) => m.Glyph), NoGlyph);

/** The glyph of a source, or a link for one that has none. */
export const SourceGlyph = ({ glyph }: { glyph: GlyphName | null }) =>
  glyph === null ? (
    <NoGlyph />
  ) : (
    <Suspense fallback={<span className="size-4 shrink-0" />}>
      <Glyph name={glyph} />
    </Suspense>
  );

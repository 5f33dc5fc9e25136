import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isSlug } from '#contract/blog/post-text.ts';
import { postQuery } from './queries.ts';

const PAUSE_MS = 400;

/** True once a published post other than `own` is known to have the slug that was typed. */
export function useSlugTaken(slug: string, own: string | undefined): boolean {
  const [asked, setAsked] = useState(slug);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(slug), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [slug]);
  const { isSuccess } = useQuery({
    ...postQuery(asked),
    enabled: isSlug(asked) && asked !== own,
    retry: false,
  });
  return isSuccess && asked === slug && slug !== own;
}

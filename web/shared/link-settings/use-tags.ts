import { useQuery } from '@tanstack/react-query';
import type { TagsResponse } from '#contract/links/tags.ts';
import { api } from '#web/shared/api/api.ts';

export const TAGS_KEY = ['tags'];

/** Loads the member's tags while `enabled`. */
export const useTags = ({ enabled = true } = {}) =>
  useQuery({
    queryKey: TAGS_KEY,
    enabled,
    queryFn: async ({ signal }) => (await api<TagsResponse>('/api/tags', { signal })).tags,
  });

export const useTagNames = (): string[] => useTags().data?.map(({ name }) => name) ?? [];

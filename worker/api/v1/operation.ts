import type * as z from 'zod/mini';
import type { V1Code } from '#contract/v1/v1-problem.ts';

/**
 * What the OpenAPI document says about a route besides its rule in access.ts. The tests send every
 * example.
 */
export type Operation = {
  id: string;
  summary: string;
  description?: string;
  /** `members` says what each parameter is. */
  query?: {
    schema: z.ZodMiniType;
    members: Readonly<Record<string, string>>;
    example: Record<string, string>;
  };
  body?: { schema: z.ZodMiniType; example: Record<string, unknown> };
  /**
   * The answer of success. `content` is a schema for JSON, which has its example in `shapes/`, a
   * media type, or null for an empty body.
   */
  answer: { status: 200 | 201 | 204; content: z.ZodMiniType | string | null; description: string };
  /** Further media types of a file. */
  otherTypes?: readonly string[];
  /** Answers 304 to a request with a matching If-None-Match. */
  isConditional?: true;
  /** Another status of success with the same content. */
  alsoStatus?: 201;
  /** The errors that this route adds to those of every route. */
  errors: readonly V1Code[];
};

/** The errors of every route that takes a key. */
export const COMMON: readonly V1Code[] = [
  'invalid_query',
  'unauthenticated',
  'insufficient_scope',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
];

/** The errors of every request with a body. */
export const BODY: readonly V1Code[] = [
  'invalid_json',
  'invalid_body',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
];

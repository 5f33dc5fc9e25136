import * as z from 'zod';

/** DELETE /api/account. `links`: remove them (they answer 410) or keep them working without an owner. */
export const accountDeletion = z.object({
  confirm: z.literal('delete my account', 'Type the words to confirm.'),
  links: z.enum(['remove', 'keep']),
});
export type AccountDeletion = z.infer<typeof accountDeletion>;

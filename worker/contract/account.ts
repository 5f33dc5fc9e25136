import * as z from 'zod';

/** GET /api/me: the signed-in person, with the role as the database has it at this request. */
export type Me = { id: string; email: string; role: 'user' | 'admin' };

/** DELETE /api/account. `links`: remove them (they answer 410) or keep them working without an owner. */
export const accountDeletion = z.object({
  confirm: z.literal('delete my account', 'Type the words to confirm.'),
  links: z.enum(['remove', 'keep']),
});
export type AccountDeletion = z.infer<typeof accountDeletion>;

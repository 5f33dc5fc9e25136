import { sql, type SQL } from 'drizzle-orm';
import type { Statement } from '#worker/db/batch.ts';
import type { Db } from '#worker/db/client.ts';
import { admin_log } from '#worker/db/schema-moderation.ts';
import { referenceTo } from './address-references.ts';

type Mention = { id: number; before: string; after: string; reason: string };

/**
 * Statements that replace a user by `label` in the audit log: as administrator, as subject and in
 * references. Names that members give to their keys may contain the address. It is not replaced
 * inside a longer address, which belongs to somebody else. Nothing is written unless `when` is true
 * at the statement's place in the batch.
 */
export async function forgetUserInLog(
  db: Db,
  { id, email }: { id: string; email: string },
  label: string,
  when: SQL,
): Promise<Statement[]> {
  const [userReference, labelReference] = [referenceTo(id), referenceTo(label)];
  const mentions = await readMentions(db, { id, email }, label);
  const rewrite = sql`update ${admin_log}
    set reason = item.value ->> 'reason', before = item.value ->> 'before', after = item.value ->> 'after'
    from json_each(${JSON.stringify(mentions)}) as item where ${admin_log}.id = item.value ->> 'id' and ${when}`;
  return [
    ...(mentions.length === 0 ? [] : [rewrite]),
    sql`update ${admin_log} set admin_id = iif(admin_id = ${id}, ${label}, admin_id), subject = iif(subject = ${userReference}, ${labelReference}, subject),
        reason = replace(reason, ${userReference}, ${labelReference})
      where (admin_id = ${id} or subject = ${userReference} or instr(reason, ${userReference}) > 0) and ${when}`,
  ];
}

/** Finds the entries that mention this address or id, and returns their texts without it. */
async function readMentions(
  db: Db,
  { id, email }: { id: string; email: string },
  label: string,
): Promise<Mention[]> {
  const texts = sql`lower(before || ' ' || after || ' ' || reason)`;
  const rows = await db.all<Mention>(
    sql`select id, before, after, reason from ${admin_log}
      where instr(${texts}, ${id}) > 0 or (${email} <> '' and instr(${texts}, ${email.toLowerCase()}) > 0)`,
  );
  const name =
    email === ''
      ? wholeWord(id)
      : new RegExp(`${wholeWord(id).source}|${wholeAddress(email).source}`, 'giu');
  return rows.flatMap((row) => {
    const stored = [row.before, row.after, row.reason];
    const [before = '', after = '', reason = ''] = stored.map((text) =>
      text.replaceAll(name, label),
    );
    const isChanged = [before, after, reason].some((text, at) => text !== stored[at]);
    return isChanged ? [{ id: row.id, before, after, reason }] : [];
  });
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const wholeWord = (text: string): RegExp =>
  new RegExp(String.raw`(?<![\w-])${escaped(text)}(?![\w-])`, 'giu');

/**
 * Matches an address that is not part of a longer one. A quote or a slash in front is part of an
 * address only after a letter or a digit: `'ann@example.com'` is ann's address, and
 * `o'ann@example.com` is another one.
 */
const wholeAddress = (email: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}_.+@-])(?<![\p{L}\p{N}][!#$%&'*/=?^\x60{|}~])${escaped(email)}(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}])`,
    'giu',
  );

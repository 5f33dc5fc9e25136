import { useEffect, useState } from 'react';
import type { Me } from '#contract/account.ts';
import { api } from '#web/shared/api.ts';
import { useSession } from '#web/shared/session.ts';

/** One question per person and page load. */
const asked = new Map<string, Promise<Me>>();

function whoIs(id: string): Promise<Me> {
  const answer = asked.get(id) ?? api<Me>('/api/me');
  asked.set(id, answer);
  answer.catch(() => asked.delete(id));
  return answer;
}

/** True where the server says that an administrator is here: the header then shows the way. What one may do there, the server decides. */
export function useIsAdmin(): boolean {
  const session = useSession();
  const id = session.status === 'member' ? session.id : '';
  const [admin, setAdmin] = useState('');
  useEffect(() => {
    if (id === '') return;
    whoIs(id).then(
      (me) => setAdmin(me.role === 'admin' ? me.id : ''),
      () => setAdmin(''),
    );
  }, [id]);
  return id !== '' && admin === id;
}

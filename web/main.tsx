import '#web/styles/theme.css';
import { startApp } from '#web/app/start-app.tsx';
import { startSession } from '#web/shared/session/session.ts';

startSession();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
void startApp(root);

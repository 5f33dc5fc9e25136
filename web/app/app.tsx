import { BrowserRouter } from 'react-router-dom';
import { Toaster } from '#web/ui/toaster.tsx';
import { Tooltips } from '#web/ui/tooltips.tsx';
import { AppRoutes } from './routes.tsx';

export function App() {
  return (
    <BrowserRouter>
      <AppRoutes />
      <Toaster />
      <Tooltips />
    </BrowserRouter>
  );
}

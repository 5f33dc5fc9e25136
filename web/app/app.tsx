import { BrowserRouter } from 'react-router-dom';
import { Toaster } from '#web/ui/toaster.tsx';
import { Providers } from './providers.tsx';
import { AppRoutes } from './routes.tsx';

export function App() {
  return (
    <Providers>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
      <Toaster />
    </Providers>
  );
}

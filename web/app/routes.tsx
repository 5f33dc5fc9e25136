import { Route, Routes } from 'react-router-dom';
import { RequireMember, RequireVisitor } from './guards.tsx';
import { Layout } from './layout.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { SCREENS } from './pages.ts';
import { Screen } from './screen.tsx';

const GUARDS = { member: RequireMember, visitor: RequireVisitor } as const;

/** The routes of all pages; pages.ts defines them. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout />}>
        {SCREENS.map(({ path, guard, load }) => {
          const Guard = guard === undefined ? null : GUARDS[guard];
          const screen = <Screen key={path} load={load} />;
          return <Route key={path} path={path} element={Guard === null ? screen : <Guard>{screen}</Guard>} />;
        })}
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}

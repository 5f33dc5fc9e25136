import { createContext, type ReactNode } from 'react';

/** What the topmost dialog shows below its title. The app provides it, because it is about the app. */
export const DialogNotice = createContext<ReactNode>(null);

import { configure } from '@testing-library/react';

// For a busy machine; what is there at once is found at once.
configure({ asyncUtilTimeout: 10_000 });

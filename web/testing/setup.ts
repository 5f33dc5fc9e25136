import { configure } from '@testing-library/react';

// Queries return as soon as they find something; the long limit is for busy machines.
configure({ asyncUtilTimeout: 10_000 });

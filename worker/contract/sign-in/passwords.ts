/** The rule for a new password, as the pages show it from the start. */
export const describePasswordRule = (min: number): string =>
  `At least ${min} characters. Common passwords and your email address are refused.`;

export const describeShortPassword = (min: number | string): string =>
  `Password should be at least ${min} characters.`;

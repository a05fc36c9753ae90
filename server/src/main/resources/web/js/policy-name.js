/** The policy that this page shows and changes. */
export const POLICY = "demo";

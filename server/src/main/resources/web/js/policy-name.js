/** The policy that this page shows and changes: `demo`, or the one in the address. */
export const POLICY = new URLSearchParams(location.search).get("policy") || "demo";

import type { ProofWay } from "./give-factor";

interface Factors {
  passkeys: unknown[];
  totp_added_at: string | null;
  recovery_codes: number;
  has_password: boolean;
}

/** Returns the ways in which a person can confirm their identity: by password only without a second factor. */
export function listProofWays({ passkeys, totp_added_at, recovery_codes, has_password }: Factors): ProofWay[] {
  const hasFactor = passkeys.length > 0 || totp_added_at !== null;
  if (!hasFactor) return has_password ? ["password"] : [];
  const ways: [ProofWay, boolean][] = [
    ["passkey", passkeys.length > 0],
    ["totp", totp_added_at !== null],
    ["recovery", recovery_codes > 0],
  ];
  return ways.filter(([, isPossible]) => isPossible).map(([way]) => way);
}

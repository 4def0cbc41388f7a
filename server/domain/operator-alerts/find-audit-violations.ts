import { findVerdict } from "../audit";
import type { Finding } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/** Returns the violations of the last audit, whoever ran it. */
export async function findAuditViolations(hub: OperatorAlertsHub): Promise<Finding[]> {
  const verdict = await findVerdict(hub);
  if (!verdict || verdict.violations === 0) return [];
  const [first] = verdict.examples;
  const detail = `${verdict.violations} violations, such as ${first!.check}: ${first!.subject}: ${first!.message}`;
  return [{ name: "audit.not_clean", subject: "ledger", detail, isRaised: true }];
}

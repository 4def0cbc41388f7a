import { findVerdict } from "../audit";
import type { Finding } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/** Returns the violations of the last audit, whoever ran it. */
export async function findAuditViolations(hub: OperatorAlertsHub): Promise<Finding[]> {
  const verdict = await findVerdict(hub);
  if (!verdict || verdict.violations === 0) return [];
  const { violations, examples } = verdict;
  const { check, subject, message } = examples[0]!;
  const detail = `${violations} ${violations === 1 ? "violation" : "violations"}, the first one: ${check}: ${subject}: ${message}`;
  return [{ name: "audit.not_clean", subject: "ledger", detail, isRaised: true }];
}

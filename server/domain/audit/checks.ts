import { text } from "../../db/column-types";
import { statement } from "../../db/statement";
import {
  accountInvariants,
  appSpendInvariant,
  billingTotalInvariant,
  keySpendInvariant,
  providerSpendInvariant,
} from "./account-invariants";
import { contentInvariants } from "./content-invariants";
import { stateInvariants, workerInvariants } from "./generation-invariants";

/** The invariants in the order in which the audit reports their violations. */
const invariants = [
  ...accountInvariants,
  ...stateInvariants,
  billingTotalInvariant,
  ...workerInvariants,
  ...contentInvariants,
  keySpendInvariant,
  appSpendInvariant,
  providerSpendInvariant,
];

export const checks = invariants.map(({ name, sql }) => ({
  name,
  select: statement({ params: [], row: { subject: text, message: text }, text: sql }),
}));

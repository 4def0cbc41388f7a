import { text } from "../../db/column-types";
import {
  accountInvariants,
  appSpendInvariant,
  billingTotalInvariant,
  keySpendInvariant,
  paymentInvariants,
  providerSpendInvariant,
} from "./account-invariants";
import { closingInvariants, closingSumInvariants } from "./closing-invariants";
import { contentInvariants } from "./content-invariants";
import { stateInvariants, workerInvariants } from "./generation-invariants";
import type { Invariant } from "./invariant";
import { declareScoped } from "./scope";

/** The invariants in the order in which the audit reports their violations. */
const invariants = [
  ...accountInvariants,
  ...paymentInvariants,
  ...stateInvariants,
  billingTotalInvariant,
  ...workerInvariants,
  ...contentInvariants,
  keySpendInvariant,
  appSpendInvariant,
  providerSpendInvariant,
  ...closingInvariants,
];

const declareCheck = ({ name, sql }: Invariant) => ({
  name,
  select: declareScoped({ row: { subject: text, message: text }, text: sql }),
});

export const checks = invariants.map(declareCheck);

/** What only the full audit checks, because it reads all that is closed. */
export const fullChecks = closingSumInvariants.map(declareCheck);

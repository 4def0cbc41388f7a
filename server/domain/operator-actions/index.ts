/** The audit log: `operate` makes an operator's change and records it in the same transaction. */
export { eraseActionTexts, eraseTargetTexts } from "./erase-texts";
export { operate, type Operator, type OperatorActionsHub } from "./operate";

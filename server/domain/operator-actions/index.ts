/** The audit log: what operators change is recorded in the transaction that changes it. */
export { operate, type Operator, type OperatorActionsHub } from "./operate";

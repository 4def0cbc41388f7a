/** API keys for operators: each change is made in one transaction with its row in the audit log. */
export {
  changeKeyByOperator,
  findKeyAccount,
  createKeyByOperator,
  revokeKeyByOperator,
  rotateKeyByOperator,
} from "./key-verbs";

/** An error that the operator can fix. Its message is the one sentence that the terminal shows, without a stack. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

import type { Failure } from "./failure";

/** Thrown for work that a provider began and that cannot be used. The failure may be shown to customers. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

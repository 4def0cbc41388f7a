import { OperatorError } from "../../lib/operator-error";

/** Returns an error for a price list that cannot be used, with the reason as the end of a sentence. */
export const priceListError = (reason: string): OperatorError => new OperatorError(`The price list ${reason}.`);

/** The warnings of the console's overview. */
export { getAccountWarnings } from "./get-account-warnings";

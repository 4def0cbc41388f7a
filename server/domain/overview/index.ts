/** The warnings on the console's overview page: what blocks an account, or soon will. */
export { getAccountWarnings } from "./get-account-warnings";

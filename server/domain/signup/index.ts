/** Opening accounts: for people who sign up by password or identity, with their trial credit, and by operators. */
export { createAccountByOperator, verifyAddress } from "./open-account";
export { signInByIdentity, type SignInRejection } from "./sign-in-by-identity";
export { signUp } from "./sign-up";
export { sendVerification, verifyEmail } from "./verify-email";

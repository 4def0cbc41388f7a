/** Accounts of people who sign up, by password or identity, with their trial credit. */
export { verifyAddress } from "./open-account";
export { provideAccount } from "./provide-account";
export { signInByIdentity, type SignInRejection } from "./sign-in-by-identity";
export { signUp } from "./sign-up";
export { sendVerification, verifyEmail } from "./verify-email";

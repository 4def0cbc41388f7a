let isSigningOut = false;

/** Sets whether this page is signing out, so that its requests would find no session. */
export const setSigningOut = (value: boolean): void => void (isSigningOut = value);

/** Returns whether this page is signing out and will navigate to the sign-in page. */
export const getSigningOut = (): boolean => isSigningOut;

let isSigningOut = false;

/** Says whether this page is signing out, after which requests of it find no session. */
export const setSigningOut = (value: boolean): void => void (isSigningOut = value);

/** Returns whether this page is signing out and will navigate to the sign-in page. */
export const getSigningOut = (): boolean => isSigningOut;

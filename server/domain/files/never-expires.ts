/** The `expires_at` of what a character has learned, as long as the character is there. */
export const NEVER_EXPIRES = "9999-12-31T23:59:59.999Z";

/** The `expires_at` of a character's training outputs until the character is deleted. */
export const NEVER_EXPIRES = "9999-12-31T23:59:59.999Z";

/**
 * Returns the form in which e-mail addresses are stored and compared. Lowercases only ASCII letters: others may become ASCII
 * letters, such as the Kelvin sign a k, which would be the address of another person.
 */
export const normalizeEmail = (email: string): string =>
  email.trim().replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** SQL about people that other owners compose. */

/**
 * Returns a SQL condition: whether a person may act for an account that is not suspended, without which nobody can sign in.
 */
export const hasAccountSql = (personId: string): string => `
  EXISTS (SELECT FROM membership m JOIN account a ON a.id = m.account_id WHERE m.person_id = ${personId} AND NOT a.suspended)`;

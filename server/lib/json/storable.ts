/** Returns whether Postgres can store a text: no NUL, no lone surrogate. Uses native searches, as a text may have megabytes. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

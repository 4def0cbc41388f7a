/** Whether Postgres can keep a text: no NUL, no half of a surrogate pair. Native searches: a text may have megabytes. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

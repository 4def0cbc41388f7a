import { isAppError } from "../errors";

/**
 * Returns the page of a cursor, and the first page if the cursor is not valid: it comes from the URL of a page, which
 * people edit and send to others.
 */
export async function pageOrFirst<Page>(
  cursor: string | undefined,
  list: (cursor: string | undefined) => Promise<Page>,
): Promise<Page> {
  try {
    return await list(cursor);
  } catch (error) {
    if (cursor !== undefined && isAppError(error) && error.extras.errors?.cursor) return list(undefined);
    throw error;
  }
}

import { type ReadSearch, readTextParam } from "../../../ui/search";

const MAX_LENGTH = 300;

/** Returns the filters of the URL without invalid values. */
export const readFilters = (read: ReadSearch) => ({
  action: readTextParam(read, "action", MAX_LENGTH),
  operator: readTextParam(read, "operator", MAX_LENGTH),
  target: readTextParam(read, "target", MAX_LENGTH),
});

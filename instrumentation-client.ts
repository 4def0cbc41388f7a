import { leaveFor } from "./app/shell/on-the-way";

/** Next calls this whenever somebody goes to another page. */
export const onRouterTransitionStart = leaveFor;

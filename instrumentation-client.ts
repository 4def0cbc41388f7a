import { startNavigation } from "./app/shell/navigation-progress";

/** Next calls this whenever somebody goes to another page. */
export const onRouterTransitionStart = startNavigation;

/** An account as its members see it, for people with a role of the hub. */
export { endStaleViews, endView, startView } from "./account-view";

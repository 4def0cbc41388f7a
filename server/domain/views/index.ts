/**
 * Views of an account as its members see it, for people with a role of the hub. Each is recorded and ends automatically.
 */
export { endStaleViews, endView, startView } from "./account-view";

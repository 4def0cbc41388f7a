/** For how long content is kept: the hub's maxima, an account's settings below them, and what a key or a request asks for. */
export {
  changeRetention,
  eraseBefore,
  getRetention,
  type Retention,
  RetentionPatch,
  setAccountRetention,
} from "./account-retention";
export type { RetentionHub } from "./hub";
export { keepsNothing, RetentionInput, withRetention } from "./keeps-nothing";

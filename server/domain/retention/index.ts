/** For how long content is kept: the hub's maxima, an account's settings below them, and what a key or a request asks for. */
export { changeRetention, eraseBefore, getRetention, RetentionPatch, setAccountRetention } from "./account-retention";
export { keepsNothing, RetentionInput, withRetention } from "./keeps-nothing";

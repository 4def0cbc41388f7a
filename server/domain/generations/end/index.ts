/**
 * Ends generations. Only `finishGeneration`, or `settleChat` for a chat, moves one to a final state, and settles its hold in
 * the same statement.
 */
export { cancelStoredGeneration, withdrawGenerations } from "./cancel";
export { changeReplyRetention, findKeptChat, type KeptChat, purgeReplies } from "./chat-replies";
export { failSupplyTimedOut, failWaitingTooLong } from "./fail-waiting";
export { applyEndings, type Ending, finishGeneration } from "./finish";
export { createEndServices, type EndHub, type EndServices } from "./hub";
export { settleChat } from "./settle-chat";

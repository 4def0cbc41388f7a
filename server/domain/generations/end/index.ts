/** The end of a generation. Only `finishGeneration`, and for a chat `settleChat`, move one to a final state, with its settlement. */
export { cancelStoredGeneration } from "./cancel";
export { changeReplyRetention, findKeptChat, type KeptChat, purgeReplies } from "./chat-replies";
export { failSupplyTimedOut, failWaitingTooLong } from "./fail-waiting";
export { applyEndings, type Ending, finishGeneration } from "./finish";
export { createEndServices, type EndHub, type EndServices } from "./hub";
export { settleChat } from "./settle-chat";

import { NEVER_EXPIRES } from "@/server/domain/files/never-expires";
import { TimeAgo } from "./time-ago";

/** Shows when a file expires, worded to follow "expires". */
export const Expiry = ({ at }: { at: string }) =>
  at === NEVER_EXPIRES ? <span>with its character</span> : <TimeAgo at={at} />;

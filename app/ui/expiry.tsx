import { FOREVER } from "@/server/domain/files/forever";
import { TimeAgo } from "./time-ago";

/** When a file expires, as words after "expires". */
export const Expiry = ({ at }: { at: string }) =>
  at === FOREVER ? <span>with its character</span> : <TimeAgo at={at} />;

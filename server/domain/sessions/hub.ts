import type { TermsHub } from "../../catalogue/books/account-terms";
import type { HubParts } from "../../context";
import type { Batcher } from "../../lib/batch";
import type { PasswordsHub } from "../passwords";
import type { SessionRow } from "./select-sessions";

/** What the requests of one process share of sessions. */
export interface SessionServices {
  /** Records that a session was used just now. */
  touchSession: (id: string) => void;
  /** Returns a session by its id. */
  selectSession: Batcher<string, SessionRow | undefined>;
}

/** What sessions need of the hub. */
export type SessionsHub = Pick<HubParts, "db" | "env" | "now"> &
  TermsHub &
  PasswordsHub & { services: SessionServices };

import type { TermsHub } from "../../catalogue/books/account-terms";
import type { HubParts } from "../../context";
import type { Batcher } from "../../lib/batch";
import type { PasswordsHub } from "../passwords";
import type { SessionRow } from "./select-sessions";

/** The services for sessions that the requests of one process share. */
export interface SessionServices {
  /** Records that a session was used just now. */
  touchSession: (id: string) => void;
  /** Returns a session by its id. */
  selectSession: Batcher<string, SessionRow | undefined>;
}

/** The parts of the hub that sessions use. */
export type SessionsHub = Pick<HubParts, "db" | "env" | "now"> &
  TermsHub &
  PasswordsHub & { services: SessionServices };

import type { TermsHub } from "../../catalogue/books/account-terms";
import type { HubParts } from "../../context";
import type { PasswordsHub } from "../passwords";

/** What the requests of one process share of sessions. */
export interface SessionServices {
  /** Records that a session was used just now. */
  touchSession: (id: string) => void;
}

/** What sessions need of the hub. */
export type SessionsHub = Pick<HubParts, "db" | "env" | "now"> &
  TermsHub &
  PasswordsHub & { services: SessionServices };

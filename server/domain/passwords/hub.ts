import type { HubParts } from "../../context";
import type { PeopleHub } from "../people";
import type { RatesHub } from "../rates";
import type { PasswordServices } from "./password";

/** The parts of the hub that passwords use. */
export type PasswordsHub = Pick<HubParts, "db" | "env" | "log" | "now"> &
  PeopleHub &
  RatesHub & { services: PasswordServices };

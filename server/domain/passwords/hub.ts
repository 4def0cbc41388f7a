import type { HubParts } from "../../context";
import type { PeopleHub } from "../people";
import type { RatesHub } from "../rates";
import type { PasswordServices } from "./password";

/** What passwords need of the hub. */
export type PasswordsHub = Pick<HubParts, "db" | "env" | "log" | "now"> &
  PeopleHub &
  RatesHub & { services: PasswordServices };

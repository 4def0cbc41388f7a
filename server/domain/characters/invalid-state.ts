import { AppError } from "../../errors";
import { type Character, getCharacterStatus } from "./character";

/** Returns a 409 for an action that the character's status forbids, with its missing files. */
export function invalidState(character: Character, action: string): AppError {
  const { missing } = character;
  const status = getCharacterStatus(character);
  const extras = status === "awaiting_supply" && missing ? { missing } : {};
  return new AppError("invalid_state", `A character that is ${status} cannot be ${action}.`, extras);
}

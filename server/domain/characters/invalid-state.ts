import { AppError } from "../../errors";
import { type Character, getCharacterStatus } from "./character";

/** 409 for a move that the character's state forbids, with what it waits for. */
export function invalidState(character: Character, done: string): AppError {
  const { missing } = character;
  const status = getCharacterStatus(character);
  const extras = status === "awaiting_supply" && missing ? { missing } : {};
  return new AppError("invalid_state", `A character that is ${status} cannot be ${done}.`, extras);
}

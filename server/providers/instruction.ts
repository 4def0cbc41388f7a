import { isObject } from "../lib/is-object";

/** Returns whether a message of a chat is an instruction of its developer. */
export const isInstruction = (message: unknown): message is Record<string, unknown> =>
  isObject(message) && (message.role === "system" || message.role === "developer");

/** Returns the text of an instruction for the user's message in which a model gets it that takes none between turns. */
export const markInstruction = (text: string): string => `<system>${text}</system>`;

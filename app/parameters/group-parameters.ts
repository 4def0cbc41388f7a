import { namesCharacter, type Parameter, takesFiles } from "./parameter";

const MAX_MAIN = 6;

/**
 * Returns the parameters in the order of a form: the prompt, the files it works on, the other required ones, the rest.
 * Required ones, files and the character are main; others are as long as there are few.
 */
export function groupParameters(parameters: Parameter[]): { main: Parameter[]; more: Parameter[] } {
  const ordered = [...parameters].sort((a, b) => rankOf(a) - rankOf(b));
  const isAlwaysMain = (parameter: Parameter) => rankOf(parameter) < OTHER || namesCharacter(parameter);
  const isMain = (parameter: Parameter, index: number) => index < MAX_MAIN || isAlwaysMain(parameter);
  const more = ordered.filter((parameter, index) => !isMain(parameter, index));
  // A fold of one field hides more than it clears.
  return more.length > 1 ? { main: ordered.filter(isMain), more } : { main: ordered, more: [] };
}

const OTHER = 3;

function rankOf(parameter: Parameter): number {
  if (parameter.name === "prompt") return 0;
  if (takesFiles(parameter)) return 1;
  return parameter.required ? 2 : OTHER;
}

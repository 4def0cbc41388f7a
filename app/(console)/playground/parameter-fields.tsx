import { Fragment, type ReactNode } from "react";
import { namesCharacter, type Parameter, takesFiles } from "../../parameters/parameter";
import { ParameterField } from "../../parameters/parameter-field";
import type { Input } from "./use-input";

interface Props {
  parameters: Parameter[];
  input: Input;
  onChange: (name: string, value: unknown) => void;
  errorOf: (name: string) => string | undefined;
  /** Shown below the prompt. */
  afterPrompt: ReactNode;
}

/** Renders the fields of a form: the main ones, and the others folded. */
export function ParameterFields({ parameters, input, onChange, errorOf, afterPrompt }: Props) {
  const { main, more } = groupParameters(parameters);
  const fieldOf = (parameter: Parameter) => (
    <ParameterField
      parameter={parameter}
      value={input[parameter.name]}
      onChange={(value) => onChange(parameter.name, value)}
      error={errorOf(parameter.name)}
    />
  );
  const changed = more.filter(({ name }) => name in input).length;
  return (
    <>
      {main.map((parameter) => (
        <Fragment key={parameter.name}>
          {fieldOf(parameter)}
          {parameter.name === "prompt" && afterPrompt}
        </Fragment>
      ))}
      {more.length > 0 && (
        <details open={more.some(({ name }) => errorOf(name)) || undefined} className="border-t border-line pt-4">
          <summary className="cursor-pointer text-sm font-medium text-soft hover:text-ink pointer-coarse:min-h-11">
            More settings ({changed > 0 ? `${changed} of ${more.length} changed` : more.length})
          </summary>
          <div className="mt-4 grid gap-5">
            {more.map((parameter) => (
              <Fragment key={parameter.name}>{fieldOf(parameter)}</Fragment>
            ))}
          </div>
        </details>
      )}
    </>
  );
}

const MAX_MAIN = 6;

/**
 * Returns the parameters in the order of a form: the prompt, the files it works on, the other required ones, the rest.
 * Required ones, files and the character are always main, others only while there are few.
 */
export function groupParameters(parameters: Parameter[]): { main: Parameter[]; more: Parameter[] } {
  const ordered = [...parameters].sort((a, b) => rankOf(a) - rankOf(b));
  const isAlwaysMain = (parameter: Parameter) => rankOf(parameter) < OTHER || namesCharacter(parameter);
  const isMain = (parameter: Parameter, index: number) => index < MAX_MAIN || isAlwaysMain(parameter);
  const more = ordered.filter((parameter, index) => !isMain(parameter, index));
  // Folding a single field saves no space.
  return more.length > 1 ? { main: ordered.filter(isMain), more } : { main: ordered, more: [] };
}

const OTHER = 3;

function rankOf(parameter: Parameter): number {
  if (parameter.name === "prompt") return 0;
  if (takesFiles(parameter)) return 1;
  return parameter.required ? 2 : OTHER;
}

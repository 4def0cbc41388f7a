import { type ComponentType, useContext } from "react";
import { CharacterField, InputModel } from "./character-field";
import { ChoiceField } from "./choice-field";
import { ChoicesField } from "./choices-field";
import { FileField, FilesField } from "./files-field";
import { JsonField } from "./json-field";
import { type Kind, kindOf } from "./kind-of";
import { NumberField } from "./number-field";
import { namesCharacter } from "./parameter";
import type { ParameterProps } from "./parameter-props";
import { CheckParameter, LineField, LinesField, LongTextField } from "./text-fields";

const fields: Record<Kind, ComponentType<ParameterProps>> = {
  choice: ChoiceField,
  choices: ChoicesField,
  check: CheckParameter,
  number: NumberField,
  line: LineField,
  text: LongTextField,
  lines: LinesField,
  file: FileField,
  files: FilesField,
  json: JsonField,
};

/** Renders a field for a parameter, with the control that its schema needs. */
export function ParameterField(props: ParameterProps) {
  const model = useContext(InputModel);
  if (model !== null && namesCharacter(props.parameter)) return <CharacterField {...props} model={model} />;
  const Control = fields[kindOf(props.parameter.schema)];
  return <Control {...props} />;
}

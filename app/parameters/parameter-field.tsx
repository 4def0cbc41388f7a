import { type ComponentType, useContext } from "react";
import { CharacterField, InputModel } from "./character-field";
import { ChoiceField, ChoicesField } from "./choice-fields";
import { FileField, FilesField } from "./files-field";
import { CheckParameter, JsonField, LineField, LinesField, LongTextField, NumberField } from "./text-fields";
import { choicesOf, isFile, itemsOf, namesCharacter, type Schema, typeOf } from "./parameter";
import type { ParameterProps } from "./parameter-props";

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

const MIN_TEXT_LENGTH = 300;

/** The kinds of controls; values that no other control can express are entered as JSON. */
type Kind = "choice" | "choices" | "check" | "number" | "line" | "text" | "file" | "files" | "lines" | "json";

/** Returns the kind of control for a schema. */
export function kindOf(schema: Schema): Kind {
  if (choicesOf(schema)) return "choice";
  switch (typeOf(schema)) {
    case "boolean":
      return "check";
    case "integer":
    case "number":
      return "number";
    case "string":
      if (isFile(schema)) return "file";
      return schema.format || schema.pattern || (schema.maxLength ?? Infinity) < MIN_TEXT_LENGTH ? "line" : "text";
    case "array":
      return kindOfList(itemsOf(schema));
    default:
      return "json";
  }
}

function kindOfList(items: Schema): Kind {
  if (items.enum) return "choices";
  if (typeOf(items) !== "string") return "json";
  return isFile(items) ? "files" : "lines";
}

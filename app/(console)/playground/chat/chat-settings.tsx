import type { Parameter } from "../../../parameters/parameter";
import { ParameterField } from "../../../parameters/parameter-field";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import type { Model } from "../../models/types";
import type { Settings } from "./turn";

const systemParameter: Parameter = {
  name: "system",
  required: false,
  schema: {
    type: "string",
    title: "System prompt",
    description: "Instructions given before the conversation (system prompt).",
  },
};
const maxTokensParameter = (max: number | null): Parameter => ({
  name: "max_tokens",
  required: false,
  schema: { type: "integer", minimum: 1, maximum: max ?? undefined, description: "Maximum reply length in tokens." },
});

interface Props {
  model: Model;
  value: Settings;
  onChange: (value: Settings) => void;
  error: unknown;
}

/** Edits the settings sent with every message. */
export const ChatSettings = ({ model, value, onChange, error }: Props) => (
  <Card title="Settings">
    <div className="grid gap-4">
      {[systemParameter, maxTokensParameter(model.max_output_tokens)].map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={value[parameter.name as keyof Settings]}
          onChange={(next) => onChange(withSetting(value, parameter.name, next))}
          error={errorsOf(error)?.field(parameter.name)}
        />
      ))}
    </div>
  </Card>
);

function withSetting(settings: Settings, name: string, value: unknown): Settings {
  const all = { ...settings, [name]: value };
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined));
}

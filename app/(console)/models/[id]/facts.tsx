import { Card } from "../../../ui/card";
import type { Model } from "../types";

const yesOrNo = (value: boolean) => (value ? "Yes" : "No");
const formatTokens = (count: number | null) =>
  count === null ? "Not specified" : `${count.toLocaleString("en")} tokens`;

/** Shows the capabilities of a text model. */
export function Facts({ model }: { model: Model }) {
  const facts = [
    ["Context", formatTokens(model.context_length)],
    ["Max output", formatTokens(model.max_output_tokens)],
    ["Images", yesOrNo(model.supports_vision)],
    ["Tools", yesOrNo(model.supports_tools)],
    ["Structured output", yesOrNo(model.supports_structured_output)],
    ["Reasoning", yesOrNo(model.supports_reasoning)],
  ];
  return (
    <Card title="Capabilities">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="text-right tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

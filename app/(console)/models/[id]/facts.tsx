import { Card } from "../../../ui/card";
import type { Model } from "./model-detail";

const yes = (given: boolean) => (given ? "Yes" : "No");
const tokens = (count: number | null) => (count === null ? "Not specified" : `${count.toLocaleString("en")} tokens`);

/** What a text model can do. */
export function Facts({ model }: { model: Model }) {
  const facts = [
    ["Context", tokens(model.context_length)],
    ["Max output", tokens(model.max_output_tokens)],
    ["Images", yes(model.supports_vision)],
    ["Tools", yes(model.supports_tools)],
    ["Structured output", yes(model.supports_structured_output)],
    ["Reasoning", yes(model.supports_reasoning)],
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

import { Card } from "../../../ui/card";
import { OutputGrid } from "../outputs/output-grid";
import { OutputPlaceholder } from "../outputs/output-placeholder";
import type { GenerationDetail } from "../types";

/** Shows the outputs of a generation, and until then a place for them. */
export function Outputs({ generation }: { generation: GenerationDetail }) {
  const { outputs, completed_at, is_llm, status } = generation;
  if (outputs.length === 0 && (is_llm || (completed_at && status !== "succeeded"))) return null;
  return (
    <Card title={outputs.length > 1 ? `${outputs.length} outputs` : "Output"}>
      {outputs.length > 0 ? <OutputGrid generation={generation} /> : <OutputPlaceholder generation={generation} />}
    </Card>
  );
}

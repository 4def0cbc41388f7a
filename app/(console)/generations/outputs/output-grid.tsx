import { Expiry } from "../../../ui/time-ago";
import type { GenerationDetail } from "../types";
import { OutputTile } from "./output-tile";

/** Shows the outputs of a generation: one in full, several as a grid. */
export function OutputGrid({ generation: { outputs, expected } }: { generation: GenerationDetail }) {
  const [first] = outputs;
  if (!first) return null;
  const isExpired = new Date(first.expires_at) <= new Date();
  return (
    <div className="@container grid gap-3">
      <ul aria-label="Outputs" className={`grid gap-4 ${columnsFor(outputs.length)}`}>
        {outputs.map((output) => (
          <OutputTile key={output.index} output={output} ratio={expected.ratio} count={outputs.length} />
        ))}
      </ul>
      <p className="text-xs text-soft">
        {isExpired ? "Expired" : "Expires"} <Expiry at={first.expires_at} />
      </p>
    </div>
  );
}

/** Returns the columns for this many outputs; a phone shows two pictures side by side. */
function columnsFor(count: number): string {
  if (count === 1) return "grid-cols-1";
  if (count === 2) return "grid-cols-1 @md:grid-cols-2";
  return count <= 4 ? "grid-cols-2" : "grid-cols-2 @xl:grid-cols-3";
}

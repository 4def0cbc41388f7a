import { MAX_WAITING } from "@/server/domain/workers/max-waiting";
import { Count } from "../../ui/formats-context";
import { Badge } from "../../ui/badge";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { Table, Td, Th } from "../../ui/table";
import type { WorkerList } from "./worker-table";

/** Lists the models that workers serve, with this account's running and waiting jobs. */
export const ServedModels = ({ models }: { models: WorkerList["models"] }) => (
  <Card flush title="Models on workers">
    <Table label="Served models">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Workers</Th>
          <Th className="text-right max-sm:hidden">Running</Th>
          <Th className="text-right">Waiting</Th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ id, online, running, waiting }) => (
          <tr key={id}>
            <Td className="w-full max-w-0">
              <Link href={`/models/${encodeURIComponent(id)}`} className="block truncate font-medium hover:underline">
                {id}
              </Link>
            </Td>
            <Td>
              {online > 0 ? (
                <Badge tone="good">{online} online</Badge>
              ) : (
                <Badge tone={waiting > 0 ? "warning" : "neutral"}>None</Badge>
              )}
            </Td>
            <Td className="text-right tabular-nums max-sm:hidden">{running}</Td>
            <Td className="text-right tabular-nums">
              <Count value={waiting} />
              {waiting === MAX_WAITING && "+"}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Card>
);

import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { StatusBadge } from "../../../ui/status-badge";
import { Table, Td, Th } from "../../../ui/table";
import { TimeAgo } from "../../../ui/time-ago";
import type { Character } from "../types";

/** Lists the trainings of a character; each start and resume is its own generation. */
export function Trainings({ character: { trainings } }: { character: Character }) {
  if (trainings.length === 0) return null;
  return (
    <Card flush title="Trainings">
      <Table label="All trainings">
        <thead>
          <tr>
            <Th>Training</Th>
            <Th>Status</Th>
            <Th className="text-right">Billed</Th>
            <Th className="text-right max-sm:hidden">Estimate</Th>
          </tr>
        </thead>
        <tbody>
          {trainings.map(({ id, status, billed_cost, estimated_cost, created_at }) => (
            <tr key={id} className="hover:bg-sunken/60">
              <Td className="w-full max-w-0">
                <Link href={`/generations/${id}`} className="block truncate font-medium hover:underline">
                  <TimeAgo at={created_at} />
                </Link>
              </Td>
              <Td>
                <StatusBadge status={status} />
              </Td>
              <Td className="text-right">{billed_cost === null ? "—" : <Money euros={billed_cost} />}</Td>
              <Td className="text-right text-soft max-sm:hidden">
                <Money euros={estimated_cost} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

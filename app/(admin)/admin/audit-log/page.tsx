import { Prefetch, trpc } from "../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { AuditLog } from "./audit-log";
import { readFilters } from "./read-filters";

export const metadata = { title: "Audit log" };

export default async function AuditLogPage({ searchParams }: { searchParams: SearchParams }) {
  const filters = readFilters(await createSearchReader(searchParams));
  const queries = [trpc.admin.auditLog.list.queryOptions(filters), trpc.admin.auditLog.actions.queryOptions()];
  return (
    <Prefetch queries={queries}>
      <AuditLog />
    </Prefetch>
  );
}

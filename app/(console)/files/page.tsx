import { requireSession } from "../../session/caller";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { Files } from "./files";
import { readFilters } from "./read-filters";

export const metadata = { title: "Files" };

export default async function FilesPage({ searchParams }: { searchParams: SearchParams }) {
  const filters = readFilters(await createSearchReader(searchParams));
  const { hub } = await requireSession();
  return (
    <Prefetch queries={[trpc.files.list.queryOptions(filters)]}>
      <Files maxBytes={hub.env.UPLOAD_MAX_BYTES} hoursKept={hub.env.UPLOAD_TTL_HOURS} />
    </Prefetch>
  );
}

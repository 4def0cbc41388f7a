import type { Metadata } from "next";
import { requireSession } from "../../session/caller";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Files } from "./files";

export const metadata: Metadata = { title: "Files" };

export default async function FilesPage() {
  const { hub } = await requireSession();
  return (
    <Prefetch queries={[trpc.files.list.queryOptions({})]}>
      <Files maxBytes={hub.env.UPLOAD_MAX_BYTES} hoursKept={hub.env.UPLOAD_TTL_HOURS} />
    </Prefetch>
  );
}

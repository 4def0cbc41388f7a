import { requireSession } from "../../../session/caller";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { PageHeader } from "../../../ui/page-header";
import { Samples } from "./samples";

export const metadata = { title: "Samples" };

export default async function SamplesPage() {
  const { hub } = await requireSession();
  return (
    <Prefetch queries={[trpc.admin.samples.list.queryOptions()]}>
      <PageHeader title="Samples">
        Pictures that show what each model makes. Everyone who may use the model sees them; the home page also shows
        those that you choose.
      </PageHeader>
      <Samples maxBytes={hub.env.UPLOAD_MAX_BYTES} />
    </Prefetch>
  );
}

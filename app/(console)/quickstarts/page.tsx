import { requireSession } from "../../session/caller";
import { PageHeader } from "../../ui/page-header";
import { guides } from "./guides";
import { Quickstarts } from "./quickstarts";

export const metadata = { title: "Quick starts" };

interface Props {
  searchParams: Promise<{ program?: string | string[] }>;
}

export default async function QuickstartsPage({ searchParams }: Props) {
  const { hub } = await requireSession();
  const { program } = await searchParams;
  const first = guides.find(({ id }) => id === program) ?? guides[0]!;
  return (
    <>
      <PageHeader title="Quick starts">
        Use the hub from your editor, your agents and your own programs. Give each its own key with a spend limit.
      </PageHeader>
      <Quickstarts base={hub.env.BASE_URL.replace(/\/$/, "")} first={first.id} />
    </>
  );
}

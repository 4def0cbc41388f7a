import { GitCompare } from "lucide-react";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { BackLink, Link } from "../../../ui/link";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { CompareGenerations } from "./compare-generations";

export const metadata = { title: "Compare generations" };

export default async function ComparePage({ searchParams }: { searchParams: SearchParams }) {
  const read = await createSearchReader(searchParams);
  const [id, otherId] = [read("id"), read("with")];
  const hasBoth = id !== null && otherId !== null;
  const ids = hasBoth ? [id, otherId] : [];
  return (
    <Prefetch queries={ids.map((one) => trpc.generations.get.queryOptions({ id: one }))}>
      {hasBoth ? <CompareGenerations id={id} otherId={otherId} /> : <NothingChosen />}
    </Prefetch>
  );
}

const NothingChosen = () => (
  <>
    <BackLink href="/generations">Generations</BackLink>
    <PageHeader title="Compare generations">
      Two generations of one model side by side, and how their inputs differ.
    </PageHeader>
    <Card>
      <Notice
        title="Choose two generations"
        icon={<GitCompare size={20} />}
        action={
          <Button asChild>
            <Link href="/generations">View generations</Link>
          </Button>
        }
      >
        Open a generation and choose Compare to see it beside another one of the same model.
      </Notice>
    </Card>
  </>
);

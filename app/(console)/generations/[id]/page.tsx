import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Generation } from "./generation";

export const metadata = { title: "Generation" };

export default async function GenerationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <Prefetch queries={[trpc.generations.get.queryOptions({ id })]}>
      <Generation id={id} />
    </Prefetch>
  );
}

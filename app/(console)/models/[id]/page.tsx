import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getPageApi } from "@/server/hub";
import { requireSession } from "../../../session/caller";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { ModelDetail } from "./model-detail";

interface Props {
  params: Promise<{ id: string }>;
}

const idOf = async ({ params }: Props) => decodeURIComponent((await params).id);

export const generateMetadata = async (props: Props): Promise<Metadata> => ({ title: await idOf(props) });

export default async function ModelPage(props: Props) {
  const id = await idOf(props);
  const session = await requireSession();
  const { getModel, isAppError } = await getPageApi();
  try {
    getModel(session, id);
  } catch (error) {
    if (isAppError(error)) notFound();
    throw error;
  }
  return (
    <Prefetch queries={[trpc.models.get.queryOptions({ id })]}>
      <ModelDetail id={id} base={session.hub.env.BASE_URL} />
    </Prefetch>
  );
}

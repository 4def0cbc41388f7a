import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { findCaller } from "../../../../session/caller";
import { anchorOf, operationsOf, pathOfTag, tags } from "../../document";
import { OperationEntry } from "../operation-entry";
import { TryIt } from "../try-it/try-it";
import { triableOperation } from "../try-it/triable-operation";

interface Props {
  params: Promise<{ tag: string }>;
}

const findTag = async ({ params }: Props) => {
  const { tag } = await params;
  return tags.find(({ name }) => pathOfTag(name) === `/docs/api/${tag}`) ?? notFound();
};

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `${(await findTag(props)).name} API` };
}

/** Documents the operations of one tag, from the document that /api/v1/openapi.json returns. */
export default async function TagPage(props: Props) {
  const { name, description } = await findTag(props);
  const { hub, session } = await findCaller();
  return (
    <article className="min-w-0">
      <h1 className="mt-10 mb-3 text-3xl font-semibold tracking-tight">{name}</h1>
      <p className="mb-8 text-soft">{description}.</p>
      {operationsOf(name).map((operation) => (
        <OperationEntry
          key={anchorOf(operation)}
          operation={operation}
          base={hub.env.BASE_URL}
          tryIt={<TryIt operation={triableOperation(operation)} isSignedIn={session !== null} />}
        />
      ))}
    </article>
  );
}

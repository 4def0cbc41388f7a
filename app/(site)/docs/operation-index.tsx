"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Link } from "../../ui/link";
import { groupByTag } from "./filter-operations";
import type { ListedOperation } from "./listed-operation";
import { OperationFilter } from "./operation-filter";

interface Props {
  operations: ListedOperation[];
  tags: { name: string; description: string }[];
}

/** Lists every operation by tag, with a filter. */
export function OperationIndex({ operations, tags }: Props) {
  useMovedAnchors(operations);
  return (
    <OperationFilter operations={operations}>
      {(found) =>
        groupByTag(found).map(({ tag, operations: ofTag }) => (
          <section key={tag} aria-labelledby={`tag-${tag}`} className="mt-8">
            <h2 id={`tag-${tag}`} className="text-lg font-semibold">
              <Link
                href={ofTag[0]!.href.split("#")[0]!}
                className="inline-flex min-h-9 items-center pointer-coarse:min-h-11 hover:underline"
              >
                {tag}
              </Link>
            </h2>
            <p className="mb-2 text-sm text-soft">{tags.find(({ name }) => name === tag)?.description}</p>
            <ul className="divide-y divide-line border-y border-line">
              {ofTag.map(({ href, method, path, summary }) => (
                <li key={href}>
                  <Link
                    href={href}
                    className="grid min-h-11 items-center gap-x-4 gap-y-1 py-2 hover:bg-sunken sm:grid-cols-[14rem_minmax(0,1fr)]"
                  >
                    <span className="font-medium">{summary}</span>
                    <span className="flex min-w-0 items-center gap-2 text-sm text-soft">
                      <span className="method">{method}</span>
                      <code className="min-w-0 break-all">{path}</code>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))
      }
    </OperationFilter>
  );
}

/** Redirects to the page of the operation or schema in the fragment: all of them used to be on this page. */
function useMovedAnchors(operations: ListedOperation[]): void {
  const router = useRouter();
  useEffect(() => {
    const { hash } = window.location;
    if (!hash) return;
    const isSchema = hash.startsWith("#schema-");
    const href = isSchema ? `/docs/api/schemas${hash}` : operations.find((one) => one.href.endsWith(hash))?.href;
    if (href) router.replace(href);
  }, [operations, router]);
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { RotateCw, WandSparkles } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { Cancel } from "./cancel";
import type { GenerationDetail } from "../types";

/** Offers the actions that a generation's status allows. */
export function Actions({ generation }: { generation: GenerationDetail }) {
  const { id, is_llm } = generation;
  return (
    <div className="flex flex-wrap gap-2">
      <Cancel generation={generation} />
      <Button asChild>
        <Link href={`/playground?generation=${id}`}>
          <WandSparkles size={16} aria-hidden />
          Open in playground
        </Link>
      </Button>
      {!is_llm && <RunAgain id={id} />}
    </div>
  );
}

function RunAgain({ id }: { id: string }) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.generations.list.pathFilter()]);
  const router = useRouter();
  const run = useMutation(
    trpc.generations.runAgain.mutationOptions({
      ...handlers,
      onSuccess: (made) => {
        toast({ text: "Started a new generation with the same input." });
        router.push(`/generations/${made.id}`);
      },
    }),
  );
  return (
    <Button
      kind="primary"
      busy={run.isPending}
      title="Starts a new generation with the same input at today’s price"
      onClick={() => run.mutate({ id })}
    >
      <RotateCw size={16} aria-hidden />
      Run again
    </Button>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { Link } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { BackToCharacters } from "../back-to-characters";
import { CharacterBadge } from "../character-badge";
import { pollWhileBusy } from "../is-busy";
import { CharacterInfo } from "./character-info";
import { Cost } from "./cost";
import { TrainingResult } from "./training-result";
import { CharacterActions } from "./character-actions";
import { TrainingStatus } from "./training-status";
import { Pictures } from "./pictures";
import { Trainings } from "./trainings";

/** Shows a character's status, actions, pictures and trainings. */
export function CharacterDetail({ id, base, maxBytes }: { id: string; base: string; maxBytes: number }) {
  const { data } = useQuery({
    ...useTRPC().characters.get.queryOptions({ id }),
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => state.data && pollWhileBusy([state.data]),
  });
  if (!data) return null;
  return (
    <>
      <BackToCharacters />
      <PageHeader title={data.name} action={<CharacterActions character={data} />}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span role="status">
            <CharacterBadge status={data.status} />
          </span>
          <span>
            trained by{" "}
            <Link href={`/models/${encodeURIComponent(data.base_model)}`} className="text-accent underline">
              {data.base_model}
            </Link>
          </span>
        </span>
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <TrainingStatus character={data} maxBytes={maxBytes} />
          {data.status === "ready" && <TrainingResult character={data} base={base} />}
          <Pictures character={data} />
          <Trainings character={data} />
        </div>
        <div className="grid content-start gap-6">
          <Cost character={data} />
          <CharacterInfo character={data} />
        </div>
      </div>
    </>
  );
}

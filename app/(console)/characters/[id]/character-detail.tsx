"use client";

import { useQuery } from "@tanstack/react-query";
import { formatValue } from "../../../parameters/parameter-props";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { BackLink, Link } from "../../../ui/link";
import { MoneyLines } from "../../../ui/money";
import { ownPath } from "../../../ui/own-path";
import { PageHeader } from "../../../ui/page-header";
import { TimeAgo } from "../../../ui/values";
import { CharacterBadge, isBusy, pollWhileBusy } from "../character-status";
import { describePicture, Picture } from "../picture";
import type { Character } from "../types";
import { CharacterActions } from "./character-actions";
import { TrainingStatus } from "./training-status";
import { TrainingResult, Trainings } from "./trainings";

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
      <BackLink href="/characters">Characters</BackLink>
      <PageHeader title={data.name} action={<CharacterActions character={data} />}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span role="status">
            <CharacterBadge status={data.status} />
          </span>
          <span>
            Base model{" "}
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

/** Shows the cost so far and the most that the next step can cost. */
function Cost({ character: { status, estimated_cost, billed_cost, resume } }: { character: Character }) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  const lines = [
    { name: "Total billed", euros: billed_cost ?? 0 },
    isBusy({ status }) && { name: "Reserved", euros: estimated_cost },
    status === "draft" && { name: "Training, up to", euros: estimated_cost },
    resume && { name: "Resuming, up to", euros: resume.estimated_cost },
    { name: "Available", euros: account?.available ?? null },
  ].filter((line) => line !== false && line !== null);
  return (
    <Card title="Cost">
      <MoneyLines lines={lines} />
    </Card>
  );
}

/** Shows the pictures that a character is trained on. */
function Pictures({ character: { pictures, images } }: { character: Character }) {
  const more = images.length - pictures.length;
  return (
    <Card title={images.length === 1 ? "1 picture" : `${images.length} pictures`}>
      {pictures.length === 0 && <p className="text-sm text-soft">No pictures yet.</p>}
      <ul aria-label="Pictures" className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3">
        {pictures.map(({ text, file }, index) => (
          <li
            key={index}
            className="aspect-square overflow-hidden rounded-lg border border-line"
            title={file?.name ?? text}
          >
            <a
              href={file ? ownPath(file.url) : /^https?:/i.test(text) ? text : undefined}
              target="_blank"
              rel="noreferrer"
              aria-label={`View ${describePicture(index + 1, file)}`}
              className="block size-full"
            >
              <Picture file={file} />
            </a>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-3 text-sm text-soft">And {more} more.</p>}
    </Card>
  );
}

/** Shows the id, trigger word and training parameters of a character. */
const CharacterInfo = ({ character: { id, trigger_word, parameters, created_at } }: { character: Character }) => (
  <Card title="Details">
    <dl className="grid gap-3 text-sm">
      <div className="flex items-center justify-between gap-3">
        <dt className="text-soft">ID</dt>
        <dd className="flex items-center gap-1 font-mono">
          {id}
          <CopyButton text={String(id)} label="Copy ID" iconOnly />
        </dd>
      </div>
      {trigger_word !== null && (
        <div className="flex items-center justify-between gap-3">
          <dt className="text-soft">Trigger word</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="truncate font-mono">{trigger_word}</code>
            <CopyButton text={trigger_word} label="Copy trigger word" iconOnly />
          </dd>
        </div>
      )}
      {Object.entries(parameters).map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3">
          <dt className="font-mono text-xs leading-5 text-soft">{name}</dt>
          <dd className="min-w-0 truncate" title={formatValue(value)}>
            {formatValue(value)}
          </dd>
        </div>
      ))}
      <div className="flex justify-between gap-3">
        <dt className="text-soft">Created</dt>
        <dd>
          <TimeAgo at={created_at} />
        </dd>
      </div>
    </dl>
  </Card>
);

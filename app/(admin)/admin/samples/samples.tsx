"use client";

import { useQuery } from "@tanstack/react-query";
import { Home, Trash2, WandSparkles } from "lucide-react";
import { samplePath } from "../../../(console)/models/sample-path";
import { useTRPC } from "../../../trpc/client";
import { UploadList } from "../../../upload/upload-list";
import { useUploads } from "../../../upload/use-uploads";
import { DropZone } from "../../../upload/drop-zone";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { ConfirmedButton } from "../../../ui/dialog";
import { Notice } from "../../../ui/notice";
import { PriceOnButton } from "../../../ui/price-on-button";
import { useIsOperator } from "../../use-operator";
import type { SampledModel } from "./types";
import { useAddSample, useChooseForHome, useMakeSample, useRemoveSample } from "./use-samples";

/** Shows the samples of each model, and lets an operator make, add, publish and remove them. */
export function Samples({ maxBytes }: { maxBytes: number }) {
  const { data: models } = useQuery(useTRPC().admin.samples.list.queryOptions());
  if (!models) return null;
  if (models.length === 0) return <Notice title="No models yet">Add models to the catalogue first.</Notice>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[repeat(2,minmax(0,1fr))]">
      {models.map((model) => (
        <div key={model.id} className={model.samples.length > 0 ? "xl:col-span-2" : ""}>
          <ModelSamples model={model} maxBytes={maxBytes} />
        </div>
      ))}
    </div>
  );
}

function ModelSamples({ model, maxBytes }: { model: SampledModel; maxBytes: number }) {
  const isOperator = useIsOperator();
  return (
    <Card title={model.name} action={isOperator && model.price !== null && <Make model={model} />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {model.samples.length > 0 && (
          <ul aria-label={`Samples of ${model.name}`} className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
            {model.samples.map((sample, index) => (
              <SampleTile key={sample.id} sample={sample} label={`sample ${index + 1} of ${model.name}`} />
            ))}
          </ul>
        )}
        {isOperator && <AddPicture model={model} maxBytes={maxBytes} />}
        {!isOperator && model.samples.length === 0 && <p className="text-sm text-soft">No samples yet.</p>}
      </div>
    </Card>
  );
}

/** Renders the button that makes a sample, which the operator's account pays for. */
function Make({ model }: { model: SampledModel }) {
  const { make, isMaking } = useMakeSample(model);
  return (
    <Button
      needs="develop"
      busy={isMaking}
      aria-label={`Make a sample of ${model.name}`}
      title="Runs the model’s example in your account"
      onClick={make}
    >
      <WandSparkles size={16} aria-hidden />
      <span>
        Make a sample
        <PriceOnButton euros={model.price} isExact={false} />
      </span>
    </Button>
  );
}

function AddPicture({ model, maxBytes }: { model: SampledModel; maxBytes: number }) {
  const add = useAddSample();
  const { uploads, add: upload } = useUploads(maxBytes, ({ id }) => add.mutate({ model: model.id, file: id }));
  return (
    <div className="grid gap-3">
      <DropZone verb="Choose a picture" onFiles={upload}>
        {model.samples.length === 0 && "No samples yet. "}Or drop a picture here that this model made.
      </DropZone>
      <UploadList uploads={uploads} />
    </div>
  );
}

interface SampleTileProps {
  sample: SampledModel["samples"][number];
  label: string;
}

function SampleTile({ sample: { id, on_home: isOnHome }, label }: SampleTileProps) {
  const isOperator = useIsOperator();
  const publish = useChooseForHome();
  const remove = useRemoveSample();
  return (
    <li className="overflow-hidden rounded-lg border border-line">
      <img
        src={samplePath(id)}
        alt={label}
        width={640}
        height={480}
        loading="lazy"
        className="aspect-[4/3] w-full bg-sunken object-cover"
      />
      {isOperator && (
        <div className="flex flex-wrap items-center justify-between gap-1 border-t border-line p-1">
          <Button
            kind="ghost"
            aria-pressed={isOnHome}
            aria-label={`Show ${label} on the home page`}
            busy={publish.isPending}
            className="px-2 aria-pressed:bg-wash aria-pressed:text-accent"
            onClick={() => publish.mutate({ id, isOnHome: !isOnHome })}
          >
            <Home size={16} aria-hidden />
            {isOnHome ? "On home page" : "Not on home"}
          </Button>
          <ConfirmedButton
            label={`Remove ${label}`}
            busy={remove.isPending}
            title={`Remove ${label}?`}
            verb="Remove sample"
            question="The gallery and the home page will no longer show it. This can’t be undone."
            onConfirm={() => remove.mutate({ id })}
          >
            <Trash2 size={16} aria-hidden />
          </ConfirmedButton>
        </div>
      )}
    </li>
  );
}

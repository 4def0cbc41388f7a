"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Parameter } from "../../../parameters/parameter";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { AccessError } from "../../../ui/access-error";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { PriceOnButton } from "../../../ui/price-on-button";
import { useIdempotencyKey } from "../../../ui/use-idempotency-key";
import { Count } from "../../../ui/values";
import { DropZone } from "../../../upload/drop-zone";
import { isExactPrice } from "../../models/exact-price";
import type { Model } from "../../models/types";
import { Cost } from "../cost";
import type { Input } from "../use-input";
import { CsvIssues, readInputIssues } from "./csv-issues";
import { type FileInputs, MAX_BYTES, MAX_ROWS, readInputs } from "./read-inputs";

interface Props {
  model: Model;
  parameters: Parameter[];
  /** The input of the form, which applies to parameters without a column. */
  input: Input;
  onClose: () => void;
}

/** Runs a model once for each row of a CSV file, as a batch, after showing what is wrong with the file and what it costs. */
export function RunCsv({ model, parameters, input, onClose }: Props) {
  const [file, setFile] = useState<{ name: string; read: FileInputs }>();
  const preview = useMutation(useTRPC().batches.preview.mutationOptions());
  const create = useCreateBatch();
  const open = async ([chosen]: File[]) => {
    if (!chosen) return;
    preview.reset();
    create.reset();
    // A larger file is not read at all.
    const text = chosen.size > MAX_BYTES ? null : await chosen.text();
    const read = text === null ? tooLarge : readInputs(text, parameters, input);
    setFile({ name: chosen.name, read });
    if (read.issues.length === 0) preview.mutate({ model: model.id, inputs: read.inputs });
  };
  const checked = preview.data;
  const isReady = file !== undefined && checked?.rejected === 0;
  const run = () => isReady && create.start(model.id, file.read.inputs, checked.estimated_cost);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Run a CSV"
      description={`Each row runs ${model.name} once, up to ${MAX_ROWS.toLocaleString("en")} rows. All of them start as one batch.`}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <DropZone verb="Choose a file" onFiles={(files) => void open(files)}>
          A column for each input, such as <code className="font-mono text-xs">prompt</code>. The form’s values apply to
          the rest.
        </DropZone>
        {file && <FileSummary name={file.name} read={file.read} />}
        {file && <CsvIssues read={file.read} preview={checked} error={create.error} />}
        <AccessError error={preview.error ?? (readInputIssues(create.error).length > 0 ? null : create.error)} />
        {isReady && <Cost euros={checked.estimated_cost} isExact={isExactPrice(model)} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button
            needs="develop"
            kind="primary"
            disabled={!isReady}
            busy={create.isPending || preview.isPending}
            onClick={run}
          >
            <span>
              {preview.isPending ? "Checking…" : isReady ? `Run ${checked.count}` : "Run"}
              {isReady && <PriceOnButton euros={checked.estimated_cost} isExact={isExactPrice(model)} />}
            </span>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const tooLarge: FileInputs = {
  inputs: [],
  lines: [],
  columns: [],
  ignored: [],
  issues: [{ line: 1, message: "The file is larger than 1 MB. Split it." }],
};

/** Starts a batch and opens it. */
function useCreateBatch() {
  const router = useRouter();
  const { keyFor, clearKey } = useIdempotencyKey();
  const create = useHubMutation((trpc) => trpc.batches.create, {
    invalidates: (trpc) => [trpc.batches.pathFilter(), trpc.generations.pathFilter(), trpc.account.pathFilter()],
    successToast: "Batch started.",
    showsError: true,
    onSuccess: ({ id }) => {
      clearKey();
      router.push(`/batches/${id}`);
    },
  });
  const start = (model: string, inputs: Input[], estimate: number) => {
    // The price that was shown is the most that is reserved.
    const max_cost = estimate > 0 ? estimate : undefined;
    create.mutate({ idempotencyKey: keyFor([model, inputs]), model, inputs, max_cost });
  };
  return { ...create, start };
}

const FileSummary = ({ name, read: { inputs, columns, ignored } }: { name: string; read: FileInputs }) => (
  <p role="status" className="text-sm leading-6 break-words">
    <span className="font-medium">{name}</span>
    {inputs.length > 0 && (
      <>
        {": "}
        <Count value={inputs.length} /> {inputs.length === 1 ? "row" : "rows"} with {columns.join(", ")}
      </>
    )}
    {ignored.length > 0 && <span className="block text-xs text-soft">Ignored columns: {ignored.join(", ")}</span>}
  </p>
);

"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Input } from "../../ui/controls";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Segments } from "../../ui/segments";
import { PriceNote } from "../../ui/shown-prices";
import { useSearch } from "../../ui/use-search";
import { ModelCard } from "./model-card";
import type { ModelSummary } from "./types";

const ALL = "all";

/** Lists the catalogue, filtered by output type and search words. */
export function Models() {
  const { data: models = [] } = useQuery(useTRPC().models.list.queryOptions());
  const { read, change } = useSearch();
  const [words, output] = [read("q") ?? "", read("makes") ?? ALL];
  const kinds = [ALL, ...new Set(models.flatMap((model) => model.output_modalities))];
  const found = models.filter((model) => matches(model, words, output));
  return (
    <>
      <PageHeader title="Models">
        Models and prices. <PriceNote />
      </PageHeader>
      <div role="search" className="mb-4 flex flex-wrap items-center gap-3">
        <Input
          type="search"
          aria-label="Search models"
          placeholder="Search by name or description"
          defaultValue={words}
          onChange={(event) => change("q", event.target.value)}
          className="min-h-10 min-w-0 flex-1 basis-64 rounded-lg border border-strong-line bg-raised px-3 text-base sm:text-sm"
        />
        {kinds.length > 2 && (
          <Segments
            label="Output"
            options={kinds.map((kind) => ({ value: kind, label: capitalize(kind) }))}
            value={output}
            onChange={(kind) => change("makes", kind === ALL ? "" : kind)}
          />
        )}
      </div>
      <p role="status" className="sr-only">
        {found.length} of {models.length} models
      </p>
      {found.length > 0 ? (
        <ul className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
          {found.map((model) => (
            <ModelCard key={model.id} model={model} />
          ))}
        </ul>
      ) : (
        <NoModels
          isEmpty={models.length === 0}
          onClear={() => {
            window.history.replaceState(null, "", "/models");
          }}
        />
      )}
    </>
  );
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function matches({ id, name, description, output_modalities }: ModelSummary, words: string, output: string): boolean {
  const text = [id, name, description].join(" ").toLowerCase();
  const hasWords = words.toLowerCase().split(/\s+/).every((word) => text.includes(word)); // prettier-ignore
  return hasWords && (output === ALL || output_modalities.includes(output));
}

function NoModels({ isEmpty, onClear }: { isEmpty: boolean; onClear: () => void }) {
  if (isEmpty) {
    return <Notice title="No models yet">This hub’s operator hasn’t added any.</Notice>;
  }
  return (
    <Notice
      title="No models found"
      icon={<SearchX size={20} />}
      action={<Button onClick={onClear}>Show all models</Button>}
    >
      Try another search or category.
    </Notice>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { memo, useDeferredValue } from "react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { FilterSelect } from "../../ui/filter";
import { FilterSearch } from "../../ui/filter-search";
import { useFormats } from "../../ui/formats-context";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Segments } from "../../ui/segments";
import { PriceNote } from "../../ui/shown-prices";
import { useSearch } from "../../ui/use-search";
import { filterModels } from "./filter-models";
import { ModelCard } from "./model-card";
import type { ModelSummary } from "./types";

/** Limits of the filter by price, in EUR. */
const MAX_COSTS = [0.01, 0.05, 0.25, 1];

/** As many cards as a screen shows without scrolling load their pictures with the page. */
const FIRST_CARDS = 4;

/** Lists the catalogue, filtered by output type, search words and price. */
export function Models() {
  const { data: models = [] } = useQuery(useTRPC().models.list.queryOptions());
  const { read, change } = useSearch();
  const filters = { words: read("q") ?? "", makes: read("makes") ?? "", maxCost: read("max") ?? "", sort: read("sort") ?? "" }; // prettier-ignore
  const kinds = [...new Set(models.flatMap((model) => model.output_modalities))];
  const { euros } = useFormats();
  // Deferred, so that rendering hundreds of cards does not delay typing.
  const found = useDeferredValue(filterModels(models, filters));
  const hasPictures = models.some(({ samples }) => samples.length > 0);
  return (
    <>
      <PageHeader title="Models">
        What each model makes, what it costs and how long it takes. <PriceNote />
      </PageHeader>
      <div role="search" className="mb-4 flex flex-wrap items-center gap-3">
        <FilterSearch
          aria-label="Search models"
          placeholder="Search by name or description"
          className="basis-64"
          value={filters.words}
          onSearch={(text) => change("q", text)}
          // All models are loaded, so each letter filters them.
          isComplete={() => true}
        />
        {kinds.length > 1 && (
          <Segments
            label="Output"
            options={["", ...kinds].map((kind) => ({ value: kind, label: kind === "" ? "All" : capitalize(kind) }))}
            value={filters.makes}
            onChange={(kind) => change("makes", kind)}
          />
        )}
        <FilterSelect label="Price" value={filters.maxCost} onChange={({ target }) => change("max", target.value)}>
          <option value="">Any</option>
          {MAX_COSTS.map((cost) => (
            <option key={cost} value={cost}>
              Up to {euros(cost, 2, 2)} a run
            </option>
          ))}
        </FilterSelect>
        <FilterSelect label="Sort" value={filters.sort} onChange={({ target }) => change("sort", target.value)}>
          <option value="">Recommended</option>
          <option value="price">Lowest price</option>
          <option value="speed">Fastest</option>
        </FilterSelect>
      </div>
      <p role="status" className="sr-only">
        {found.length} of {models.length} models
      </p>
      {found.length > 0 ? (
        <Cards models={found} showsPicture={hasPictures} />
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

const Cards = memo(function Cards({ models, showsPicture }: { models: ModelSummary[]; showsPicture: boolean }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4">
      {models.map((model, index) => (
        <ModelCard key={model.id} model={model} showsPicture={showsPicture} isFirst={index < FIRST_CARDS} />
      ))}
    </ul>
  );
});

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

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

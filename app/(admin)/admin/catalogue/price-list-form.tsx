"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { DropZone } from "../../../upload/drop-zone";
import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../../ui/form";
import { reducePriceList } from "./reduce-price-list";

interface Props {
  busy: boolean;
  error: unknown;
  onCompare: (source: { list: string } | { url: string }) => void;
}

/** Asks for a price list: by its address, or as a file, of which the browser sends only the catalogue's entries. */
export function PriceListForm({ busy, error, onCompare }: Props) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const read = useMutation({
    mutationFn: async (chosen: File) => {
      // Every revision may need other entries.
      const paths = await client.fetchQuery({ ...trpc.admin.catalogue.prices.paths.queryOptions(), staleTime: 0 });
      return reducePriceList(await chosen.text(), paths);
    },
    onSuccess: (list) => onCompare({ list }),
  });
  const compareUrl = (form: FormData) => {
    read.reset();
    onCompare({ url: readText(form, "url") });
  };
  const errors = errorsOf(error);
  const isNotJson = read.error instanceof SyntaxError;
  return (
    <Form className="grid max-w-2xl gap-4" error={error} onSubmit={compareUrl}>
      <TextField
        name="url"
        type="url"
        label="URL of a price list"
        required
        data-missing="Enter a URL, or choose a file."
        placeholder="https://models.dev/api.json"
        hint="litellm’s model_prices_and_context_window.json or models.dev’s api.json. Nothing is applied yet."
        error={errors?.field("url", "The URL")}
      />
      <FormError>
        {isNotJson ? "The file is not JSON." : (errorsOf(read.error)?.message ?? errors?.messageUnlessAt("url"))}
      </FormError>
      <span>
        <Button kind="primary" type="submit" busy={busy || read.isPending}>
          Compare
        </Button>
      </span>
      <DropZone verb="Choose file" onFiles={([chosen]) => read.mutate(chosen!)}>
        Or drop the list as a file here.
      </DropZone>
    </Form>
  );
}

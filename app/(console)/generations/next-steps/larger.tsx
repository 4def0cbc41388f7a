"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { Maximize2 } from "lucide-react";
import { usePrice } from "../../../code-samples/use-price";
import { fileInput, parametersOf } from "../../../parameters/parameter";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { PriceOnButton } from "../../../ui/price-on-button";
import { isExactPrice } from "../../models/exact-price";
import type { Model } from "../../models/types";
import type { GenerationDetail, GenerationOutput } from "../types";
import { fileIdOf } from "./edit-with";
import { findLargerInput } from "./larger-input";

interface Props {
  generation: GenerationDetail;
  /** The picture that is shown; absent for other results. */
  picture?: GenerationOutput;
}

/**
 * Offers to make a result larger: a picture by the first model that enlarges pictures, otherwise by its own model's next
 * resolution. Opens the playground with that, and renders nothing where neither exists.
 */
export function Larger({ generation, picture }: Props) {
  const { id, input } = generation;
  const trpc = useTRPC();
  const { data: models } = useQuery({ ...trpc.models.list.queryOptions(), enabled: picture !== undefined });
  const enlarger = models?.find((one) => one.enlarges && one.available);
  const isKnown = picture === undefined || models !== undefined;
  const wanted = isKnown ? { id: enlarger?.id ?? generation.model } : skipToken;
  const { data: model } = useQuery({ ...trpc.models.get.queryOptions(wanted), staleTime: Infinity });
  if (!model) return null;
  const parameters = parametersOf(model.parameters_schema);
  if (picture && enlarger) {
    const href = `/playground?file=${fileIdOf(picture)}&model=${encodeURIComponent(model.id)}`;
    return <LargerLink href={href} model={model} input={fileInput(parameters, picture.url) ?? {}} by={model.name} />;
  }
  const larger = findLargerInput(parameters, input);
  return larger && <LargerLink href={`/playground?generation=${id}&larger=yes`} model={model} input={larger} />;
}

interface LinkProps {
  href: string;
  model: Model;
  input: Record<string, unknown>;
  /** The name of the model, if it is another one than that of the result. */
  by?: string;
}

function LargerLink({ href, model, input, by }: LinkProps) {
  const { data: price } = usePrice(model.id, input);
  // The model may reject the input, or no route serve it now.
  if (!price) return null;
  return (
    <Button asChild needs="develop">
      <Link href={href}>
        <Maximize2 size={16} aria-hidden />
        <span>
          {by === undefined ? "Larger" : `Larger with ${by}`}
          <PriceOnButton euros={price.estimated_cost} isExact={isExactPrice(model)} />
        </span>
      </Link>
    </Button>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { WandSparkles } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { ownPath } from "../../../ui/own-path";
import { partNotLoaded } from "../../../ui/part-not-loaded";
import type { GenerationOutput } from "../types";

const PickerPanel = dynamic(
  () => import("../../playground/model-picker/picker-panel").then((module) => module.PickerPanel, partNotLoaded),
  { ssr: false },
);

export const isPicture = ({ media_type }: GenerationOutput): boolean => media_type.startsWith("image/");

/** Returns the id of the file of an output. */
export const fileIdOf = ({ url }: GenerationOutput): string => ownPath(url).split("/").at(-1)!;

/** Lets a person choose a model that takes pictures, and opens the playground with this one as its input. */
export function EditWith({ fileId }: { fileId: string }) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const { data: models } = useQuery({ ...useTRPC().models.list.queryOptions(), enabled: isOpen });
  const editors = models?.filter((model) => !model.is_llm && model.input_modalities.includes("image"));
  return (
    <>
      <Button needs="develop" aria-haspopup="dialog" busy={isOpen && !models} onClick={() => setOpen(true)}>
        <WandSparkles size={16} aria-hidden />
        Use as input…
      </Button>
      {isOpen && editors && (
        <PickerPanel
          title="Use this picture with a model"
          models={editors}
          onChoose={(id) => router.push(`/playground?file=${fileId}&model=${encodeURIComponent(id)}`)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

"use client";

import { Sparkles } from "lucide-react";
import { useState } from "react";
import { type ExampleInput, exampleInputs } from "../../parameters/example-inputs";
import { Button } from "../../ui/button";
import type { Model } from "../models/types";

/** Offers the examples of a model, one after the other. */
export function ExampleButton({ model, onChoose }: { model: Model; onChoose: (example: ExampleInput) => void }) {
  const [shown, setShown] = useState(0);
  const examples = exampleInputs(model.parameters_schema);
  const example = examples[shown % examples.length];
  if (!example) return null;
  const choose = () => {
    onChoose(example);
    setShown(shown + 1);
  };
  return (
    <Button onClick={choose}>
      <Sparkles size={16} aria-hidden />
      {shown > 0 && examples.length > 1 ? "Try another example" : "Try an example"}
    </Button>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode } from "react";
import { useTRPC } from "../trpc/client";
import { errorsOf } from "../ui/errors-of";
import { SelectField } from "../ui/field";
import { Link } from "../ui/link";
import { type ParameterProps, wordsOf } from "./parameter-props";

/** The model that an input is for, where its characters are offered: not every model understands every character. */
export const InputOf = createContext<string | null>(null);

/** One of the account's characters, by its name. */
export function CharacterField({ parameter, model, value, onChange, error }: ParameterProps & { model: string }) {
  const { data: characters, error: refusal } = useQuery(useTRPC().characters.usable.queryOptions({ model }));
  const named = value === undefined ? "" : JSON.stringify(value);
  const isOffered = value === undefined || characters?.some(({ id }) => id === value);
  return (
    <SelectField
      label={wordsOf(parameter).label}
      hint={hintOf(parameter.schema.description, characters?.length, refusal)}
      error={error}
      value={named}
      onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
    >
      <option value="">{parameter.required ? "Choose one" : "None"}</option>
      {!isOffered && <option value={named}>#{named}</option>}
      {characters?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name} (#{id})
        </option>
      ))}
    </SelectField>
  );
}

function hintOf(description: string | undefined, count: number | undefined, refusal: unknown): ReactNode {
  if (refusal) return errorsOf(refusal)?.message;
  if (count !== 0) return description;
  return (
    <>
      {description} You don’t have one for this model yet.{" "}
      <Link href="/characters/new" className="text-accent underline">
        Create a character
      </Link>
    </>
  );
}

"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTRPC } from "../../../trpc/client";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { AnnouncementBanner } from "../../../shell/announcement-banner";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { TextArea } from "../../../ui/controls";
import { errorsOf } from "../../../ui/errors-of";
import { Field, Form, FormError, SelectField } from "../../../ui/form";
import { useIsOperator } from "../../use-operator";

/** Shows what is announced now, and lets an operator announce something else. */
export function AnnouncementForm() {
  const { data: current } = useQuery(useTRPC().admin.announcement.get.queryOptions());
  const isOperator = useIsOperator();
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.admin.announcement.pathFilter()]);
  const onSuccess = () => toast({ text: "Announcement ended." });
  const clear = useMutation(trpc.admin.announcement.clear.mutationOptions({ ...handlers, onSuccess }));
  return (
    <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-6">
      <Card
        title="Now"
        action={
          current &&
          isOperator && (
            <Button busy={clear.isPending} onClick={() => clear.mutate()}>
              End now
            </Button>
          )
        }
      >
        {current ? (
          <AnnouncementBanner announcement={current} />
        ) : (
          <p className="text-sm text-soft">Nothing is announced.</p>
        )}
      </Card>
      {isOperator && (
        <Card title="Announce">
          <NewAnnouncement />
        </Card>
      )}
    </div>
  );
}

function NewAnnouncement() {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.admin.announcement.pathFilter()]);
  const set = useMutation(trpc.admin.announcement.set.mutationOptions({ onSettled: handlers.onSettled }));
  const errors = errorsOf(set.error);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const hours = values.get("hours") as string;
    set.mutate(
      {
        text: values.get("text") as string,
        level: values.get("level") as "info" | "warning",
        hours: hours === "" ? null : Number(hours),
      },
      {
        onSuccess: () => {
          form.reset();
          toast({ text: "Announced." });
        },
      },
    );
  };
  return (
    <Form onSubmit={onSubmit} error={set.error}>
      <Field label="Text" name="text" error={errors?.field("text", "The text")}>
        {(control) => (
          <TextArea
            {...control}
            name="text"
            rows={3}
            required
            maxLength={500}
            data-missing="Write what you announce."
          />
        )}
      </Field>
      <SelectField name="level" label="Level" defaultValue="info">
        <option value="info">Information</option>
        <option value="warning">Warning</option>
      </SelectField>
      <SelectField name="hours" label="Ends" defaultValue="24">
        <option value="1">In an hour</option>
        <option value="24">In a day</option>
        <option value="168">In a week</option>
        <option value="">When you end it</option>
      </SelectField>
      <FormError>{errors && !errors.field("text") && errors.message}</FormError>
      <Button kind="primary" type="submit" busy={set.isPending}>
        Announce
      </Button>
    </Form>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { AnnouncementBanner } from "../../../shell/announcement-banner";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { TextArea } from "../../../ui/controls";
import { errorsOf } from "../../../ui/errors-of";
import { Field, Form, FormError, readText, SelectField } from "../../../ui/form";
import { useIsOperator } from "../../use-operator";

/** Shows the current announcement, and lets an operator replace it. */
export function AnnouncementForm() {
  const { data: current } = useQuery(useTRPC().admin.announcement.get.queryOptions());
  const isOperator = useIsOperator();
  const clear = useHubMutation((trpc) => trpc.admin.announcement.clear, {
    invalidates: (trpc) => [trpc.admin.announcement.pathFilter()],
    successToast: "Announcement ended.",
  });
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
          <p className="text-sm text-soft">No current announcement.</p>
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
  const set = useHubMutation((trpc) => trpc.admin.announcement.set, {
    invalidates: (trpc) => [trpc.admin.announcement.pathFilter()],
    showsError: true,
    successToast: "Announcement published.",
  });
  const errors = errorsOf(set.error);
  const onSubmit = (fields: FormData, form: HTMLFormElement) => {
    const hours = readText(fields, "hours");
    set.mutate(
      {
        text: readText(fields, "text"),
        level: readText(fields, "level") as "info" | "warning",
        hours: hours === "" ? null : Number(hours),
      },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <Form onSubmit={onSubmit} error={set.error}>
      <Field label="Text" name="text" error={errors?.field("text", "The text")}>
        {(control) => (
          <TextArea {...control} name="text" rows={3} required maxLength={500} data-missing="Enter the announcement." />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
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
      </div>
      <FormError>{errors?.messageUnlessAt("text")}</FormError>
      <Button kind="primary" type="submit" busy={set.isPending} className="justify-self-start">
        Announce
      </Button>
    </Form>
  );
}

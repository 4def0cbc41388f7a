import { z } from "zod";
import { announce, announcementLevels, clearAnnouncement, findAnnouncement } from "../../domain/announcements";
import { auditorProcedure, operatorProcedure, router } from "../procedure";

export const announcement = router({
  get: auditorProcedure.query(({ ctx: { hub } }) => findAnnouncement(hub)),

  set: operatorProcedure
    .input(
      z.object({
        text: z.string().trim().min(1, "is required").max(500),
        level: z.enum(announcementLevels),
        /** Hours until it ends; null for no end. */
        hours: z.number().positive().max(8_760).nullable(),
      }),
    )
    .mutation(({ ctx: { hub, operator }, input: { hours, ...rest } }) => {
      const endsAt = hours === null ? null : new Date(hub.now().getTime() + hours * 3_600_000);
      return announce(hub, operator, { ...rest, endsAt });
    }),

  clear: operatorProcedure.mutation(({ ctx: { hub, operator } }) => clearAnnouncement(hub, operator)),
});

import { ChartInput, chartUsage, forecastMonth } from "../domain/usage";
import { invalidInput } from "../errors";
import { isContentHidden } from "./hide-content";
import { procedure, router } from "./procedure";

export const usage = router({
  chart: procedure("billing")
    .input(ChartInput)
    .query(async ({ ctx, input }) => {
      const isHidden = isContentHidden(ctx.actor);
      // The series would be named by end users and values of metadata.
      if (isHidden && (input.by === "end_user" || input.by.startsWith("metadata.")))
        throw invalidInput("by", "must be model, key or member while prompts are hidden");
      const chart = await chartUsage(ctx, input);
      return isHidden ? { ...chart, labels: [] } : chart;
    }),

  /** Returns what this month costs at the pace of the last days; null while that is unknown. */
  forecast: procedure("billing").query(({ ctx }) => forecastMonth(ctx)),
});

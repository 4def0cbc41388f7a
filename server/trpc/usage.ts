import { ChartInput, chartUsage, forecastMonth } from "../domain/usage";
import { procedure, router } from "./procedure";

export const usage = router({
  chart: procedure("billing")
    .input(ChartInput)
    .query(({ ctx, input }) => chartUsage(ctx, input)),

  /** Returns what this month costs at the pace of the last days; null while that is unknown. */
  forecast: procedure("billing").query(({ ctx }) => forecastMonth(ctx)),
});

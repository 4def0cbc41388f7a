import { z } from "zod";
import type { Ctx, Permission } from "../context";
import type { Hub } from "../domain/hub";
import type { RateLimitBucket } from "../domain/rates";

/** The id of an item. Any string is accepted: a malformed id is handled like an unknown one. */
export const byId = z.object({ id: z.string().max(200) });
type ItemInput<Shape> = z.ZodObject<Shape & typeof byId.shape>;

/** What an action declares in addition to its input. */
interface Declaration<Input, Result> {
  /** The permission that a person needs; a key may do everything. */
  access: Permission;
  /** The rate limit that it counts against. */
  cost: RateLimitBucket;
  run: (ctx: Ctx<Hub>, input: Input) => Promise<Result>;
}

/** An operation that REST and the console have in common: both transports read one declaration. */
export interface Action<Schema extends z.ZodType | undefined, Result> extends Declaration<Parsed<Schema>, Result> {
  /** The body of a REST request. */
  body?: z.ZodObject;
  /** The input of the console: the body, and the id that REST has in the path. */
  input: Schema;
}
export type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Returns an action that lists or creates something. */
export const defineAction = <Result, Body extends z.ZodObject | undefined = undefined>(
  action: Declaration<Parsed<Body>, Result> & { body?: Body },
): Action<Body, Result> => ({ ...action, input: action.body as Body });

/** Returns an action on one item, which its `id` names. */
export const defineItemAction = <Result, Shape extends z.ZodRawShape = Record<never, never>>(
  action: Declaration<z.output<ItemInput<Shape>>, Result> & { body?: z.ZodObject<Shape> },
): Action<ItemInput<Shape>, Result> => ({
  ...action,
  input: (action.body ?? z.object({})).extend(byId.shape) as ItemInput<Shape>,
});
